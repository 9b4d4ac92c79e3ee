export { type ServeMcpOptions, serveMcp } from './serve-mcp.ts';
