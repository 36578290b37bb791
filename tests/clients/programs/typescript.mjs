// Clients of MCP: the TypeScript SDK, version 2 in the two eras, and version 1.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const plan = JSON.parse(process.argv[2]);
const NAME = { name: "tests", version: "1.0.0" };
const CLIENTS = {
  "client, auto": [new Client(NAME, { versionNegotiation: { mode: "auto" } }), StreamableHTTPClientTransport],
  "client, legacy": [new Client(NAME), StreamableHTTPClientTransport],
  "sdk": [new Client1(NAME), Transport1],
};

const code = (request) => request.then(() => null, (error) => error.code);

async function visit(name, client, Transport) {
  const transport = new Transport(new URL(plan.url));
  await client.connect(transport);
  const results = [];
  const { tools } = await client.listTools();
  for (const { tool, arguments: values } of plan.calls) {
    const done = await client.callTool({ name: tool, arguments: values });
    const texts = done.content.map((item) => item.text);
    results.push({ structured: done.structuredContent ?? null, texts, is_error: done.isError ?? false });
  }
  const texts = [];
  for (const uri of plan.resources) texts.push((await client.readResource({ uri })).contents[0].text);
  const visited = {
    client: name,
    revision: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion,
    server: client.getServerVersion().name,
    tools: tools.map((tool) => tool.name),
    results,
    resources: (await client.listResources()).resources.map((each) => each.uri),
    templates: (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
    texts,
    codes: [
      await code(client.callTool({ name: "unknown", arguments: {} })),
      await code(client.readResource({ uri: plan.unknown })),
    ],
  };
  await client.close();
  return visited;
}

const visits = [];
for (const [name, [client, Transport]] of Object.entries(CLIENTS)) {
  visits.push(await visit(`@modelcontextprotocol/${name}`, client, Transport));
}
console.log(JSON.stringify(visits));
