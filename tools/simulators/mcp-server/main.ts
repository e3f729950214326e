import { runProgram } from '../support/run-program.js';
import { startMcpServer } from './start-mcp-server.js';

await runProgram('MCP server', 4016, (port, host) => startMcpServer({ port, host }));
