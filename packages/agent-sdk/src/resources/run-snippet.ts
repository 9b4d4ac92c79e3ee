import { anyTool, decide, errorMessage, parseRules, type ToolContext, textOf } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-sessions';
import { bashTool } from '@robota-sdk/agent-tools';
import { hostOf, toolContextOf } from '../input/tool-context.ts';

/** Whose commands they are, and what was said about them beforehand. */
export interface SnippetSource {
  /** For people, such as `/deploy`. */
  readonly title: string;
  readonly signal: AbortSignal;
  /** Rules of the file itself, such as `Bash(git status:*)`: they spare a question, and never stand above another rule. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Put into the environment of the commands. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** False for a command that a repository brings and nobody has agreed to. */
  isTrusted(command: string): boolean;
}

/** Runs the commands of a template through permissions and Bash; one that may not run leaves a remark in its place. */
export function snippetRunner(session: Session, source: SnippetSource): (command: string) => Promise<string> {
  return async (command) => {
    const reason = await whyNot(session, source, command);
    if (reason !== undefined) {
      const text = `${source.title}: !\`${command}\` was not run: ${reason}`;
      session.notify({ level: 'warning', text });
      return `[\`${command}\` was not run: ${reason}]`;
    }
    const { env, ...context } = toolContextOf(session, source);
    return outputOf(command, { ...context, env: { ...env, ...source.variables } });
  };
}

async function outputOf(command: string, context: ToolContext): Promise<string> {
  try {
    const text = textOf((await bashTool.execute({ command }, context)).content);
    return text === '(no output)' ? '' : text;
  } catch (thrown) {
    return `[\`${command}\` failed: ${errorMessage(thrown)}]`;
  }
}

async function whyNot(session: Session, source: SnippetSource, command: string): Promise<string | undefined> {
  if (!source.isTrusted(command))
    return 'it comes with this project, which is not trusted. Start robota in a terminal to be asked, or use --trust-project.';
  const { authorize, options } = hostOf(session);
  const cwd = options.workspace?.cwd ?? process.cwd();
  const access = [{ kind: 'run', command, cwd }] as const;
  const id = `snippet-${source.title}`;
  const answer = await authorize(
    {
      tool: anyTool(bashTool),
      call: { type: 'tool-call', id, name: bashTool.name, input: { command } },
      input: { command },
      access,
      hook: (await isGranted(source, { command, cwd }))
        ? { verdict: 'allow', reason: `${source.title} allows it.` }
        : undefined,
    },
    source.signal,
  );
  return answer.allowed ? undefined : answer.reason;
}

/** Whether the file's own rules cover the command; a rule that can't be read covers nothing. */
async function isGranted(
  { allowedTools = [] }: SnippetSource,
  { command, cwd }: { readonly command: string; readonly cwd: string },
): Promise<boolean> {
  if (allowedTools.length === 0) return false;
  const { rules } = parseRules({ allow: allowedTools }, { source: 'allowed-tools' });
  const policy = { mode: 'default', rules, workspace: { cwd, additional: [], home: cwd } } as const;
  const decision = await decide(policy, { tool: 'Bash', access: [{ kind: 'run', command, cwd }] });
  return decision.verdict === 'allow';
}
