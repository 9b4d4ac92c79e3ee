import { pluralize } from '@robota-sdk/agent-core';

/** A line that begins something with a name. */
interface Landmark {
  readonly line: number;
  readonly kind: string;
  readonly name: string;
  readonly exported: boolean;
  /** Lines until the next landmark of the same or a lesser depth. */
  size: number;
  readonly indent: number;
}

const declaration =
  /^(\s*)((?:export|public|private|protected|internal|static|final|abstract|async|default|declare|pub(?:\([a-z]+\))?|unsafe|override|readonly)\s+)*(function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace|mod|const|let|var|val|object|record)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
const importLine =
  /^\s*(?!\s)(?:import\b|from\s+\S+\s+import|use\s+[\w:]|#include|require\b|.*\brequire\(['"])/;
const mostImports = 25;

/** Imports, and what a source file declares at its outer levels, with lines and sizes. */
export function outlineCode(lines: readonly string[]): readonly string[] {
  const sources = [...new Set(lines.filter((line) => importLine.test(line)).flatMap(importedFrom))];
  const landmarks = landmarksOf(lines);
  const rows: string[] = [];
  if (sources.length > 0) {
    const more = sources.length > mostImports ? `, … (${sources.length})` : '';
    rows.push(`Imports from: ${sources.slice(0, mostImports).join(', ')}${more}`);
  }
  if (landmarks.length === 0) rows.push('No declarations that I recognise.');
  else rows.push('Declares:', ...landmarks.map(row));
  return rows;
}

/** The names that a source file declares at its outermost level; those it exports, if there are any. */
export function declaredNames(lines: readonly string[]): readonly string[] {
  const outer = landmarksOf(lines).filter(({ indent }) => indent === 0);
  const exported = outer.filter((landmark) => landmark.exported);
  return (exported.length > 0 ? exported : outer).map(({ name }) => name);
}

function landmarksOf(lines: readonly string[]): readonly Landmark[] {
  const landmarks: Landmark[] = [];
  for (const [index, line] of lines.entries()) {
    const [, space = '', , kind = '', name = ''] = declaration.exec(line) ?? [];
    const isLocal = space.length > 4 || (space.length > 0 && /^(const|let|var|val|type)$/.test(kind));
    if (name === '' || isLocal) continue;
    const exported = /^\s*(export|pub|public)\b/.test(line);
    landmarks.push({ line: index + 1, kind, name, exported, size: 0, indent: space.length });
  }
  for (const [index, landmark] of landmarks.entries()) {
    const next = landmarks.slice(index + 1).find((other) => other.indent <= landmark.indent);
    landmark.size = (next?.line ?? lines.length + 1) - landmark.line;
  }
  return landmarks;
}

function importedFrom(line: string): readonly string[] {
  const quoted = /['"]([^'"]+)['"]/.exec(line)?.[1];
  const bare = /^\s*(?:from|import|use|#include)\s+<?([\w.:/-]+)>?/.exec(line)?.[1];
  const source = quoted ?? bare;
  return source === undefined || source === 'type' ? [] : [source];
}

function row({ line, kind, name, exported, size, indent }: Landmark): string {
  const depth = indent > 0 ? '  ' : '';
  return `${depth}- ${exported ? 'exported ' : ''}${kind} \`${name}\` (line ${line}, about ${pluralize(size, 'line')})`;
}
