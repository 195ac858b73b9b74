/** The library of the protocol: large, in a file of its own, which `harness mcp` alone loads (`scripts/build.mjs`). */
export { CLIENT_CAPABILITIES_META_KEY, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
