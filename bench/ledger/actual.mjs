// Imports rows with Actual's own API and prints the seconds: actual.mjs FILE, a JSON list of transactions.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const api = createRequire(join(process.cwd(), ".tools/@actual-app/api/"))("@actual-app/api");
// The library reports its progress; the figure is the only output.
const print = console.log;
console.log = console.info = () => {};

const dataDir = mkdtempSync(join(tmpdir(), "actual-"));
try {
  const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));
  await api.init({ dataDir });
  let account;
  await api.runImport("bench", async () => {
    account = await api.createAccount({ name: "bench", type: "checking" }, 0);
  });
  const start = performance.now();
  const { added } = await api.importTransactions(account, rows);
  const seconds = (performance.now() - start) / 1000;
  if (added.length !== rows.length) throw new Error(`${added.length} of ${rows.length} rows were added`);
  print(seconds);
  await api.shutdown();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
