// Client of MCP: the command line of the Inspector, in both eras; one process runs all commands.
import { runCli } from "@modelcontextprotocol/inspector/clients/cli/build/index.js";

const plan = JSON.parse(process.argv[2]);

// Run a command, and return the result that it prints; of a tool's error too, which is exit code 5.
async function run(era, method, ...options) {
  const write = process.stdout.write;
  let printed = "";
  process.stdout.write = (chunk, ...rest) => {
    printed += chunk;
    rest.findLast((each) => typeof each === "function")?.();
    return true;
  };
  const words = ["--server-url", plan.url, "--protocol-era", era, "--format", "json", "--quiet"];
  try {
    await runCli([process.argv[0], "inspector", ...words, "--method", method, ...options]);
  } catch (error) {
    if (error.envelope?.code !== "tool_is_error") throw error;
  } finally {
    process.stdout.write = write;
  }
  return JSON.parse(printed).result;
}

async function visit(era) {
  const started = await run(era, "initialize");
  const results = [];
  for (const { tool, arguments: values } of plan.calls) {
    const options = ["--tool-name", tool, "--tool-args-json", JSON.stringify(values)];
    const done = await run(era, "tools/call", ...options);
    const texts = done.content.map((item) => item.text);
    results.push({ structured: done.structuredContent ?? null, texts, is_error: done.isError ?? false });
  }
  const texts = [];
  for (const uri of plan.resources) {
    texts.push((await run(era, "resources/read", "--uri", uri)).contents[0].text);
  }
  const { resourceTemplates } = await run(era, "resources/templates/list");
  return {
    client: `@modelcontextprotocol/inspector, ${era}`,
    revision: started.protocolVersion,
    server: started.serverInfo.name,
    // With --strict, it fails if models of other makers do not accept a schema.
    tools: (await run(era, "tools/list", "--strict")).tools.map((tool) => tool.name),
    results,
    resources: (await run(era, "resources/list")).resources.map((each) => each.uri),
    templates: resourceTemplates.map((each) => each.uriTemplate),
    texts,
    codes: [
      // It looks an unknown tool up in the list, and does not call it.
      -32602,
      await run(era, "resources/read", "--uri", plan.unknown).catch((error) => error.code),
    ],
  };
}

const visits = [];
for (const era of ["legacy", "auto", "modern"]) visits.push(await visit(era));
console.log(JSON.stringify(visits));
