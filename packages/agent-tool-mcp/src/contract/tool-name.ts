import { createHash } from 'node:crypto';

const maxLength = 64;

/**
 * The name under which a tool of a server is called and written in permission rules: `mcp__server__tool`. A long one loses
 * its end, never the name of its server, by which rules know it, as long as that has 48 characters at most.
 */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${namePart(server)}__${namePart(tool)}`;
  if (name.length <= maxLength) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - digest.length - 1)}_${digest}`;
}

/** A name with only the letters that every vendor takes. */
export function namePart(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
