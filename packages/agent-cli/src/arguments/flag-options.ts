import {
  AgentError,
  type InteractiveSessionOptions,
  optionRows,
  Report,
  type Shape,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from './args.ts';
import type { OptionName } from './options.ts';

/** Reads the value of an option; an error says what is expected. */
export function flagValue<T>(args: Arguments, name: OptionName, shape: Shape<T>): T | undefined {
  const text = args.value(name);
  return text === undefined ? undefined : parsed({ name, shown: text, shape }, text);
}

/** Options of a session that are read from flags just as their rows describe them. */
export function flagOptions(args: Arguments): InteractiveSessionOptions {
  const options = optionRows.flatMap(([name, { flag, scope, shape }]) => {
    if (!flag || scope === undefined || readElsewhere.has(name) || !args.has(flag.name as OptionName))
      return [];
    const values = args.values(flag.name as OptionName);
    const given = flag.repeat ? values : values.at(-1);
    const request = { name: flag.name, shown: values.join(' '), shape };
    return [[name, parsed(request, flag.value === undefined ? true : given)] as const];
  });
  return Object.fromEntries(options);
}

/** Rows whose flags have words of other agents, or name files. */
const readElsewhere: ReadonlySet<string> = new Set([
  'thinking',
  'permissionMode',
  'fallbackModels',
  'additionalDirectories',
]);

interface FlagRequest<T> {
  readonly name: string;
  /** The value as it was typed. */
  readonly shown: string;
  readonly shape: Shape<T>;
}

function parsed<T>({ name, shown, shape }: FlagRequest<T>, given: unknown): T | undefined {
  const report = new Report({ lenient: true });
  const value = shape.parse(given, report);
  const [problem] = report.problems;
  if (problem === undefined) return value;
  const expected = problem.kind === 'unknown' ? shape.expected : problem.expected;
  throw new AgentError('usage', `--${name} ${shown}: expected ${expected}.`);
}
