import { highlightCode, renderDiff, renderMarkdown, visibleText } from '@robota-sdk/agent-export/page';
import type { AskedToolCall, WebChoice, WebQuestion } from '../../contract/question.ts';
import { pathWithin, plural, sentence } from '../base/format.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { CopyButton } from '../components/notices.tsx';
import { Rendered } from '../components/rendered.tsx';
import { ChangeCounts } from '../components/status.tsx';

/** The icon and the heading of a question. */
export function headingOf({ kind, title, call }: WebQuestion): {
  readonly icon: IconName;
  readonly text: string;
} {
  if (kind !== 'permission' || !call) return { icon: 'question', text: visibleText(title) };
  if (call.command !== undefined) return { icon: 'terminal', text: 'Robota wants to run a command' };
  if (call.diff !== undefined) {
    const isNew = call.diff.lines.every(({ kind: line }) => line === 'added');
    return { icon: 'edit', text: `Robota wants to ${isNew ? 'create' : 'edit'} a file` };
  }
  return { icon: 'question', text: `Robota wants to use ${visibleText(call.tool)}` };
}

/** The whole command, change or input that the question is about. */
export function QuestionSubject({ question, cwd }: { readonly question: WebQuestion; readonly cwd: string }) {
  const { call, detail } = question;
  if (call?.command !== undefined) return <CommandView call={call} command={call.command} />;
  if (call?.diff) return <ChangeView diff={call.diff} cwd={cwd} />;
  const input = call && visibleText(JSON.stringify(call.input, null, 2));
  return (
    <>
      {input !== undefined && input !== '{}' && <pre class="question-input">{input}</pre>}
      {detail !== undefined && (
        <Rendered class="question-detail" by={[detail]} render={() => renderMarkdown(visibleText(detail))} />
      )}
    </>
  );
}

function CommandView({ call, command }: { readonly call: AskedToolCall; readonly command: string }) {
  const commands = call.commands?.map((each) => ({ ...each, text: visibleText(each.text) })) ?? [];
  const asked = commands.filter(({ outcome }) => outcome !== 'allowed').map(({ text }) => text);
  return (
    <>
      <div class="question-command">
        <pre>
          <code>{commandParts(visibleText(command), asked)}</code>
        </pre>
        <CopyButton text={command} />
      </div>
      {commands.length > 1 && <CommandParts commands={commands} />}
    </>
  );
}

/** The command in its colours, with the parts that are asked about marked. */
function commandParts(command: string, asked: readonly string[]) {
  const place = asked
    .map((text) => ({ start: command.indexOf(text), end: command.indexOf(text) + text.length }))
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  let position = 0;
  const parts = highlightCode('bash', command).flatMap(({ kind, text }) => {
    const start = position;
    position += text.length;
    return split(text, start, place).map((piece) => ({ ...piece, kind }));
  });
  return parts.map(({ text, isAsked, kind }, index) => {
    const name = [isAsked ? 'command-asked' : '', kind === 'plain' ? '' : `code-${kind}`].filter(Boolean);
    return (
      <span key={index} class={name.join(' ')}>
        {text}
      </span>
    );
  });
}

function split(
  text: string,
  start: number,
  marks: readonly { readonly start: number; readonly end: number }[],
) {
  const end = start + text.length;
  const edges = marks.flatMap((mark) => [mark.start, mark.end]).filter((edge) => edge > start && edge < end);
  const starts = [start, ...edges];
  return starts.map((from, index) => ({
    text: text.slice(from - start, (starts[index + 1] ?? end) - start),
    isAsked: marks.some((mark) => from >= mark.start && from < mark.end),
  }));
}

const outcomes = {
  allowed: { icon: 'check', tone: 'ok-text' },
  asks: { icon: 'bell', tone: 'need-text' },
  denied: { icon: 'deny', tone: 'bad-text' },
} as const;

function CommandParts({ commands }: { readonly commands: NonNullable<AskedToolCall['commands']> }) {
  return (
    <table class="command-parts">
      <caption>{plural(commands.length, 'command')} in this line. All of them must be allowed.</caption>
      <tbody>
        {commands.map(({ text, outcome, rule, needs = [] }, index) => (
          <tr key={index}>
            <td>
              <code>{text}</code>
            </td>
            <td class={outcomes[outcome].tone}>
              <Icon name={outcomes[outcome].icon} /> {outcome}
            </td>
            <td class="dim">
              {rule === undefined && needs.length === 0 && (outcome === 'allowed' ? '' : 'no rule matches')}
              {rule !== undefined && <RuleName label="rule" rule={rule} />}
              {needs.map((each) => (
                <RuleName key={each} label="needs" rule={each} />
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RuleName({ label, rule }: { readonly label: string; readonly rule: string }) {
  return (
    <div>
      {label} <code>{visibleText(rule)}</code>
    </div>
  );
}

interface ChangeViewProps {
  readonly diff: NonNullable<AskedToolCall['diff']>;
  readonly cwd: string;
}

function ChangeView({ diff, cwd }: ChangeViewProps) {
  const added = diff.added ?? diff.lines.filter(({ kind }) => kind === 'added').length;
  const removed = diff.removed ?? diff.lines.filter(({ kind }) => kind === 'removed').length;
  return (
    <>
      <div class="question-file">
        <code class="cut grow">{visibleText(pathWithin(cwd, diff.path))}</code>
        <span class="small">
          <ChangeCounts added={added} removed={removed} />
        </span>
        {diff.more === undefined && <span class="small dim wide">whole change shown</span>}
      </div>
      <Rendered class="question-diff" by={[diff]} render={() => renderDiff(diff)} />
    </>
  );
}

/** Why it is asked, what it can touch, and the reasons to be careful. */
export function ReasonList({ question }: { readonly question: WebQuestion }) {
  if (question.reasons.length === 0 && question.dangers.length === 0) return null;
  return (
    <dl class="reason-list">
      {question.dangers.length > 0 && (
        <div>
          <dt>Be careful</dt>
          <dd class="bad-text">{visibleText(question.dangers.join('; '))}</dd>
        </div>
      )}
      {question.reasons.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Rendered
              by={[text]}
              render={() => renderMarkdown(visibleText(text.endsWith('.') ? sentence(text) : text))}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Meanings of the answers to a permission question, where the question has none. */
const meanings: Readonly<Record<string, string>> = {
  once: 'Only this call.',
  session: 'Runs without asking until the session ends.',
  deny: 'Robota reads your reason and continues.',
};

/** The meaning of a choice, and the rules that it would save. */
export function ChoiceDetail({ choice: { saves, ...choice } }: { readonly choice: WebChoice }) {
  const description = saves
    ? `Saves ${plural(saves.rules.length, 'rule')} to \`${saves.file}\`:`
    : choice.description === undefined
      ? meanings[choice.id]
      : sentence(choice.description);
  return (
    <>
      {description !== undefined && (
        <Rendered
          class="answer-detail"
          by={[description]}
          render={() => renderMarkdown(visibleText(description))}
        />
      )}
      {saves && <RulePreview saves={saves} />}
    </>
  );
}

/** The rules that an answer would save, as lines that are added to their file. */
function RulePreview({ saves }: { readonly saves: NonNullable<WebChoice['saves']> }) {
  const lines = saves.rules.map(
    (rule) => ({ kind: 'added', text: visibleText(JSON.stringify(rule)) }) as const,
  );
  return (
    <Rendered class="rule-preview" by={[saves]} render={() => renderDiff({ path: saves.file, lines })} />
  );
}
