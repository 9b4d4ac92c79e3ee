import { readFile } from 'node:fs/promises';
import {
  AgentError,
  anything,
  checked,
  endSentence,
  errorMessage,
  exactly,
  flag,
  type HookResult,
  integer,
  isJsonObject,
  lazy,
  list,
  type Message,
  type Model,
  type ModelEvent,
  object,
  parseJson,
  Report,
  type Shape,
  shape,
  type ToolOutput,
  text,
  type UserContent,
  variants,
  words,
} from '@robota-sdk/agent-core';
import {
  type Cassette,
  type CassetteHeader,
  type CassetteLine,
  cassetteVersion,
  type RecordedEnd,
  type ReplayedPoint,
  replayedPoints,
} from './cassette.ts';

/** Reads a recording; errors describe the problem of the file. */
export async function readCassette(file: string): Promise<Cassette> {
  const content = await readFile(file, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const isMissing = thrown.code === 'ENOENT';
    const why = isMissing ? 'No such file. --record FILE writes one.' : errorMessage(thrown);
    throw new AgentError('usage', `The recording ${file} cannot be read: ${endSentence(why)}`);
  });
  const [first = '', ...rest] = content.split('\n');
  const header = readHeader(first, file);
  const lines = rest.flatMap((line, index) => (line === '' ? [] : [readLine(line, `${file}:${index + 2}`)]));
  return { header, lines };
}

function readHeader(line: string, file: string): CassetteHeader {
  const value = parseJson(line);
  if (value === undefined && line !== '') throw damaged(`${file}:1`);
  const notRecording = `${file} is not a recording. Make one with --record FILE.`;
  if (!isJsonObject(value) || value.type !== 'recording') throw new AgentError('usage', notRecording);
  if (value.version !== cassetteVersion) {
    const advice = `${cassetteVersion} is what can be replayed. Record it again.`;
    throw new AgentError('usage', `${file} is a recording of version ${value.version}, and ${advice}`);
  }
  const header = wholly(cassetteHeader, value);
  const [model, ...others] = header?.models ?? [];
  if (!header || !model) throw new AgentError('usage', notRecording);
  return { ...header, models: [model, ...others] };
}

function readLine(line: string, where: string): CassetteLine {
  const read = wholly(cassetteLine, parseJson(line));
  if (!read) throw damaged(where);
  return read;
}

function wholly<T>(expected: Shape<T>, value: unknown): T | undefined {
  const { parsed, isFit } = new Report().trial(expected, value);
  return isFit ? parsed : undefined;
}

function damaged(where: string): AgentError {
  const advice = 'The run that made it was cut off, or the file was changed. Record it again.';
  return new AgentError('usage', `${where} is damaged. ${advice}`);
}

/** Programs may use their own kinds of models, so only the form is checked. */
const model: Shape<Model> = shape<Model>({ type: 'object' });

/** The list of models may still be empty. */
const cassetteHeader: Shape<Omit<CassetteHeader, 'models'> & { readonly models: readonly Model[] }> = lazy(
  () =>
    object({
      type: exactly('recording'),
      version: integer,
      created: text,
      cwd: text,
      home: text,
      models: list(model),
      history: list(shape<Message>({ type: 'object' })),
    }),
);

const cassetteLine: Shape<CassetteLine> = lazy(() =>
  variants('type', {
    model: [
      {
        model: text,
        system: text,
        tools: list(text),
        shared: integer,
        messages: list(text),
        events: list(shape<ModelEvent>({ type: 'object' })),
      },
      { byAgent: flag },
    ],
    tool: [
      {
        id: text,
        name: text,
        input: anything,
        status: words('success', 'error', 'denied', 'aborted'),
        output: checked(shape<ToolOutput>({ type: 'object' }), 'a result', ({ content }) =>
          Array.isArray(content),
        ),
      },
      { wouldAllow: list(text) },
    ],
    prompt: [{ text }],
    attachments: [{ content: list(shape<UserContent>({ type: 'object' })) }],
    end: [
      { status: words('completed', 'aborted', 'failed', 'limit') },
      { error: shape<NonNullable<RecordedEnd['error']>>({ type: 'object' }) },
    ],
    hook: [{ point: words(...replayedPoints), result: shape<HookResult<ReplayedPoint>>({ type: 'object' }) }],
  }),
);
