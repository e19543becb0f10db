// The manager of a sample module. Its flags say how it behaves, so that one image serves for every version, good and bad.
package main

import (
	"flag"
	"log"
	"net/http"
	"time"
)

// behaviour is what the flags say.
type behaviour struct {
	resource     string
	finalState   string
	startAfter   time.Duration
	crash        bool
	crashAfter   time.Duration
	unready      bool
	errorAfter   time.Duration
	finalizer    string
	stuck        bool
	leave        bool
	hot          bool
	requires     string
	health       string
	leaderElects bool
}

func readFlags() behaviour {
	var b behaviour
	flag.StringVar(&b.resource, "resource", "operator.kyma-project.io/v1alpha1/samples", "group/version/plural of its CR")
	flag.StringVar(&b.finalState, "final-state", "Ready", "the state of a CR that is done")
	flag.DurationVar(&b.startAfter, "start-after", 0, "serve probes and reconcile only after this time")
	flag.BoolVar(&b.crash, "crash", false, "end at once")
	flag.DurationVar(&b.crashAfter, "crash-after", 0, "end this time after the start")
	flag.BoolVar(&b.unready, "unready", false, "never become ready")
	flag.DurationVar(&b.errorAfter, "error-after", 0, "set every CR to Error this time after it was Ready")
	flag.StringVar(&b.finalizer, "finalizer", "", "put this finalizer on every CR, and keep a ConfigMap for it")
	flag.BoolVar(&b.stuck, "stuck", false, "never remove the finalizer")
	flag.BoolVar(&b.leave, "leave", false, "leave the ConfigMap of a CR that is deleted")
	flag.BoolVar(&b.hot, "hot", false, "write an annotation of every CR all the time")
	flag.StringVar(&b.requires, "requires", "", "group/version of an API without which a CR gets a warning")
	flag.StringVar(&b.health, "health", ":8081", "where /healthz and /readyz are served")
	flag.BoolVar(&b.leaderElects, "leader-elect", false, "accepted, and without effect: there is one pod")
	flag.Parse()
	return b
}

func main() {
	b := readFlags()
	if b.crash {
		log.Fatal("cannot read the configuration: the field size is missing")
	}
	if b.crashAfter > 0 {
		time.AfterFunc(b.crashAfter, func() { log.Fatal("out of workers: the queue is full") })
	}
	time.Sleep(b.startAfter)
	go serveProbes(b)
	reconciler, err := newReconciler(b)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("reconciling %s", b.resource)
	for {
		if err := reconciler.reconcileAll(); err != nil {
			log.Print(err)
		}
		time.Sleep(interval)
	}
}

func serveProbes(b behaviour) {
	http.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		if b.unready {
			http.Error(w, "the cache has not synced", http.StatusServiceUnavailable)
		}
	})
	log.Fatal(http.ListenAndServe(b.health, nil))
}
