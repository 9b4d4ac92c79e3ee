import {
  AgentError,
  checkPermission,
  describeDecision,
  describeRisk,
  type PermissionSubject,
  placeOf,
  type ReadOptions,
  readCommand,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { optionsOf } from '../arguments/row-options.ts';
import { projectPolicy } from './project-policy.ts';

const pathTools = ['Read', 'Write', 'Edit', 'Glob', 'Grep'];

/** `robota permissions check`: a command or a tool from the arguments, else cases from standard input. */
export async function checkCommand(words: readonly string[]): Promise<number> {
  const options = readCommand(words, optionsOf('permissions', 'check'));
  const subject = subjectOf(options);
  if (subject === undefined) {
    if (process.stdin.isTTY) {
      throw new AgentError('usage', 'Missing command.', {
        hint: {
          text: 'Pipe in one JSON case per line, or run',
          run: ['permissions', 'check', 'npm', 'test'],
        },
      });
    }
    const { checkLines } = await import('./check-lines.ts');
    return checkLines(process.stdin, process.stdout);
  }
  const { policy } = await projectPolicy(options);
  const decision = await checkPermission(policy, subject);
  const { verdict, reason, rule, wouldAllow, dangers } = decision;
  const text = options.has('json')
    ? JSON.stringify({
        decision: verdict,
        rule: rule?.text ?? null,
        ...(rule === undefined ? {} : { origin: placeOf(rule) }),
        why: reason,
        ...(dangers === undefined ? {} : { dangers: dangers.map(describeRisk) }),
        ...(wouldAllow === undefined ? {} : { wouldAllow }),
      })
    : filterEscapes(`${describeDecision(nameOf(subject), decision)}\n  mode: ${policy.mode}`, {
        sequences: 'show',
      });
  process.stdout.write(`${text}\n`);
  return 0;
}

function subjectOf(options: ReadOptions): PermissionSubject | undefined {
  const [tool, path, url] = ['tool', 'path', 'url'].map((name) => options.value(name));
  const [first, ...rest] = options.words;
  if (tool !== undefined && first !== undefined)
    throw new AgentError('usage', `Give a command or --tool ${tool}, not both.`);
  if (tool === 'Bash') throw new AgentError('usage', 'For Bash give the command itself, without --tool.');
  if (tool !== undefined) {
    if (path !== undefined && !pathTools.includes(tool))
      throw new AgentError('usage', `${tool} takes no path. Use ${pathTools.join(', ')}.`);
    return { tool, ...(path === undefined ? {} : { path }), ...(url === undefined ? {} : { url }) };
  }
  if (path !== undefined || url !== undefined)
    throw new AgentError('usage', '--path and --url need a --tool.');
  if (first === undefined) return undefined;
  const call = namedCall(options.words);
  if (call) return call;
  return { command: rest.length === 0 ? first : options.words.map(quoteWord).join(' ') };
}

/** A call as rules and questions write it, `Read(.env)`, or with a space: no program has such a name. */
function namedCall(words: readonly string[]): PermissionSubject | undefined {
  const [first = ''] = words;
  const [, tool, inner] =
    words.length === 1 ? (/^(\w+)\(([\s\S]*)\)$/.exec(first) ?? []) : ['', first, words.slice(1).join(' ')];
  if (tool === undefined || inner === undefined) return undefined;
  if (tool === 'Bash') return { command: inner };
  if (tool === 'WebFetch') return { tool, url: inner };
  return pathTools.includes(tool) ? { tool, path: inner } : undefined;
}

/** Several words come from a shell that took their quotes away. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function nameOf(subject: PermissionSubject): string {
  if ('command' in subject) return subject.command;
  return [subject.tool, subject.path ?? subject.url].filter(Boolean).join(' ');
}
