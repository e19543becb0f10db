/** How the page looks; in the light, in the dark, and in print. Long pages are laid out as they come into sight. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2733; --quiet: #5a6875; --ground: #fff; --line: #c9d2da;
  --followed: #9fc5f0; --followed-odd: #c8def7; --real: #a9d8b0; --real-odd: #d2ecd6; --policy: #e6c889; --policy-odd: #f4e3bf;
  --mark: #b3261e; --gap: #8a97a333; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4eaf0; --quiet: #9fadba; --ground: #12181e; --line: #3a4753;
    --followed: #2c5a8c; --followed-odd: #1f3f63; --real: #2f6b3b; --real-odd: #214b2a; --policy: #7a5c1d; --policy-odd: #564114;
    --mark: #ff8a80; --gap: #b8c4d033; }
}
body { margin: 1.5rem auto; max-width: 80rem; padding: 0 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h3 { margin-bottom: .25rem; }
dl > div { display: flex; gap: .75rem; margin: .2rem 0; padding-left: .75rem; border-left: 4px solid transparent; }
dl > .assumed { border-color: var(--mark); } dt { min-width: 5rem; color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem; }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
summary { cursor: pointer; padding: .25rem 0; }
article { content-visibility: auto; contain-intrinsic-size: auto 220px; }
.scroll { overflow-x: auto; } .scroll > svg { min-width: 50rem; width: 100%; display: block; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; }
.sign { width: 1em; height: 1em; vertical-align: -.1em; }
svg text { font-size: 11px; fill: var(--text); } svg text.row { text-anchor: end; font-size: 12px; }
svg text.tick { text-anchor: middle; fill: var(--quiet); } line.tick { stroke: var(--line); stroke-dasharray: 2 3; }
rect { stroke: var(--ground); stroke-width: .5; } .gap { fill: var(--gap); }
.followed.even rect { fill: var(--followed); } .followed.odd rect { fill: var(--followed-odd); }
.real.even rect { fill: var(--real); } .real.odd rect { fill: var(--real-odd); }
.policy.even rect { fill: var(--policy); } .policy.odd rect { fill: var(--policy-odd); }
.mark { fill: var(--mark); stroke: var(--ground); } .mark:is(.unknown, .withdrawal, .removal) { fill: none; stroke: var(--mark); stroke-width: 2; }
`;
