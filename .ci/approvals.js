// Reads the reviews of a pull request from stdin, as `gh api --paginate --slurp …/reviews` prints them, and says in one
// line who approves the commit that is named: `approved-by=LOGIN,LOGIN`. The last word of a reviewer counts: an approval
// that was dismissed or taken back is none, and one of an earlier commit says nothing of this one.
// Plain JavaScript without any package, so that it runs before there are packages.
import { readFileSync } from "node:fs";

const [head = ""] = process.argv.slice(2);
const WORDS = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"];

const lastWords = new Map();
for (const review of JSON.parse(readFileSync(0, "utf8")).flat()) {
  if (review.user === null || !WORDS.includes(review.state)) continue;
  const { login } = review.user;
  const known = lastWords.get(login);
  if (known === undefined || Date.parse(known.submitted_at) <= Date.parse(review.submitted_at))
    lastWords.set(login, review);
}
const approvals = [...lastWords.values()].filter(
  ({ state, commit_id: commit }) => state === "APPROVED" && commit === head,
);
const logins = approvals.map(({ user }) => user.login).sort();
process.stdout.write(`approved-by=${logins.join(",")}\n`);
