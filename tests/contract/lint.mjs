// Lints the OpenAPI document by redocly.yaml: `node lint.mjs openapi.json redocly.yaml`. Any problem is a failure.

import { formatProblems, getTotals, lint, loadConfig } from "@redocly/openapi-core";

const [ref, configPath] = process.argv.slice(2);
const problems = await lint({ ref, config: await loadConfig({ configPath }) });
formatProblems(problems, { format: "stylish", totals: getTotals(problems), version: "" });
process.exitCode = problems.length > 0 ? 1 : 0;
