import { useComputed } from '@preact/signals';
import { DiffText, visibleText } from '@robota-sdk/agent-export/page';
import { useMemo } from 'preact/hooks';
import type { DraftComment, ReviewedFile, ReviewedHunk } from '../../contract/review.ts';
import { Button } from '../components/button.tsx';
import { Tag } from '../components/status.tsx';
import { CommentField, DraftView } from './comment-draft.tsx';
import { chunkRows, DiffRows } from './diff-rows.tsx';
import {
  endOf,
  type HunkLine,
  hunkName,
  hunkRange,
  type LineSpan,
  linesOfHunk,
  type SplitRow,
  spanOf,
  splitRows,
} from './hunk-rows.ts';
import { type OpenComment, type ReviewModel, spanOfDraft } from './review-model.ts';

export interface HunkProps {
  readonly model: ReviewModel;
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
  readonly isSplit: boolean;
  /** Drawn at once. */
  readonly isEarly: boolean;
  /** Its number in the file, counted from 1. */
  readonly number: number;
}

/** One hunk: its head with the decision, its lines and the comments between them. */
export function Hunk({ model, file, hunk, isSplit, isEarly, number }: HunkProps) {
  const isCurrent = useComputed(() => model.current.value === hunk.key).value;
  const refusal = model.refusals.value.get(hunk.key);
  const state = hunk.state === 'taken back' ? 'gone' : hunk.state;
  const name = file.change === 'create' ? 'new file' : file.change === 'delete' ? 'deleted' : hunkName(hunk);
  return (
    <section
      class={`review-hunk review-${state} ${isCurrent ? 'review-current' : ''}`}
      id={`hunk-${hunk.key}`}
      tabindex={-1}
      aria-label={`${file.name}, hunk ${number} of ${file.hunks.length}${name === '' ? '' : `, ${name}`}, ${stateName(hunk)}`}
      aria-current={isCurrent ? 'true' : undefined}
      onFocusIn={() => {
        if (model.current.value !== hunk.key) model.choice.value = undefined;
        model.current.value = hunk.key;
      }}
    >
      <header>
        <code class="dim">{hunkRange(hunk)}</code>
        <span class="cut grow dim small">{visibleText(name)}</span>
        <HunkButtons model={model} file={file} hunk={hunk} isRefused={refusal !== undefined} />
      </header>
      {refusal !== undefined && (
        <p class="review-note small" role="alert">
          {refusal}{' '}
          <button type="button" class="link-button" onClick={() => void model.load(true)}>
            List the changes again
          </button>
        </p>
      )}
      {file.binary ? (
        <p class="review-binary dim">{binaryText(file.binary)}</p>
      ) : (
        <HunkLines
          model={model}
          file={file}
          hunk={hunk}
          isSplit={isSplit}
          isEarly={isEarly}
          isCurrent={isCurrent}
        />
      )}
    </section>
  );
}

function stateName({ state }: ReviewedHunk): string {
  return state === 'open' ? 'not decided' : state;
}

function binaryText({ before, after }: NonNullable<ReviewedFile['binary']>): string {
  const size = (bytes: number | undefined) =>
    bytes === undefined ? 'no file' : `${bytes.toLocaleString('en')} bytes`;
  return `Binary file: ${size(before)} before, ${size(after)} now.`;
}

function HunkButtons({
  model,
  file,
  hunk,
  isRefused,
}: Pick<HunkProps, 'model' | 'file' | 'hunk'> & { readonly isRefused: boolean }) {
  const place = { file, hunk };
  if (model.review.value?.readOnly !== undefined)
    return hunk.state === 'kept' ? <DecisionTag state={hunk.state} /> : null;
  if (hunk.state === 'open')
    return (
      <>
        {isRefused && (
          <Tag tone="need" icon="warning">
            File changed
          </Tag>
        )}
        {!isRefused && file.refusal === undefined && (
          <Button icon="undo" keys="u" onClick={() => void model.takeBack(place)}>
            Take back
          </Button>
        )}
        <Button icon="check" keys="y" onClick={() => void model.keep(place)}>
          Keep
        </Button>
      </>
    );
  return (
    <>
      <DecisionTag state={hunk.state} />
      <Button kind="quiet" onClick={() => void model.undo(place)}>
        Undo
      </Button>
    </>
  );
}

function DecisionTag({ state }: Pick<ReviewedHunk, 'state'>) {
  const isKept = state === 'kept';
  return (
    <Tag tone={isKept ? 'ok' : 'bad'} icon={isKept ? 'check' : 'undo'}>
      {isKept ? 'Kept' : 'Taken back'}
    </Tag>
  );
}

/** Rows and the comments that stand below one of them. */
interface Segment {
  readonly rows: readonly SplitRow[];
  readonly drafts: readonly DraftComment[];
  readonly comment: OpenComment | undefined;
}

function HunkLines({
  model,
  file,
  hunk,
  isSplit,
  isEarly,
  isCurrent,
}: Omit<HunkProps, 'number'> & { readonly isCurrent: boolean }) {
  const { lines, numbered, rows, text } = useMemo(() => {
    const all = linesOfHunk(hunk);
    return {
      lines: all,
      numbered: new Map(all.map((line) => [line.index, line])),
      rows: isSplit
        ? splitRows(hunk.lines)
        : all.map(({ index }): SplitRow => ({ left: index, right: index })),
      text: new DiffText(hunk.lines, file.name),
    };
  }, [hunk.key, hunk.lines, isSplit]);
  const open = model.comment.value?.file === file.name ? model.comment.value : undefined;
  const drafts = (model.review.value?.drafts ?? []).filter(
    (draft) => draft.file === file.name && draft.id !== open?.id,
  );
  const segments = segmentsOf({ lines, rows, drafts, open });
  const span = spanShown(model, { hunk, lines, open, isCurrent });
  return (
    <div class="review-diff" onPointerDown={(event) => startChoice(event, { model, hunk, lines })}>
      {segments.map((segment, index) => (
        <SegmentView key={index} {...segment} model={model}>
          {chunksOf(segment.rows).map((chunk, part) => (
            <DiffRows
              key={part}
              lines={hunk.lines}
              text={text}
              numbered={numbered}
              rows={chunk}
              isSplit={isSplit}
              span={span}
              isDrawn={(isEarly || (isCurrent && index === 0)) && part === 0}
            />
          ))}
        </SegmentView>
      ))}
    </div>
  );
}

function SegmentView({
  model,
  drafts,
  comment,
  children,
}: Segment & { readonly model: ReviewModel; readonly children: preact.ComponentChildren }) {
  return (
    <>
      {children}
      {drafts.map((draft) => (
        <DraftView key={draft.id} model={model} draft={draft} />
      ))}
      {comment && (
        <CommentField key={`${comment.file} ${comment.span.line}`} model={model} comment={comment} />
      )}
    </>
  );
}

function chunksOf(rows: readonly SplitRow[]): readonly (readonly SplitRow[])[] {
  const chunks: SplitRow[][] = [];
  for (let at = 0; at < rows.length; at += chunkRows) chunks.push(rows.slice(at, at + chunkRows));
  return chunks;
}

/** Cuts the rows where a comment stands. */
function segmentsOf({
  lines,
  rows,
  drafts,
  open,
}: {
  readonly lines: readonly HunkLine[];
  readonly rows: readonly SplitRow[];
  readonly drafts: readonly DraftComment[];
  readonly open: OpenComment | undefined;
}): readonly Segment[] {
  const rowOf = (span: LineSpan) => {
    const end = endOf(lines, span);
    const index = end === undefined ? undefined : lines[end]?.index;
    return index === undefined ? -1 : rows.findIndex(({ left, right }) => left === index || right === index);
  };
  const placed = drafts
    .filter(({ at }) => at !== undefined)
    .map((draft) => ({ draft, row: rowOf(spanOfDraft(draft)) }))
    .filter(({ row }) => row >= 0);
  const openRow = open ? rowOf(open.span) : -1;
  const ends = [...new Set([...placed.map(({ row }) => row), ...(openRow >= 0 ? [openRow] : [])])].sort(
    (a, b) => a - b,
  );
  const segments: Segment[] = [];
  let start = 0;
  for (const end of ends) {
    segments.push({
      rows: rows.slice(start, end + 1),
      drafts: placed.flatMap(({ draft, row }) => (row === end ? draft : [])),
      comment: openRow === end ? open : undefined,
    });
    start = end + 1;
  }
  if (start < rows.length || segments.length === 0)
    segments.push({ rows: rows.slice(start), drafts: [], comment: undefined });
  return segments;
}

function spanShown(
  model: ReviewModel,
  about: {
    readonly hunk: ReviewedHunk;
    readonly lines: readonly HunkLine[];
    readonly open: OpenComment | undefined;
    readonly isCurrent: boolean;
  },
): LineSpan | undefined {
  const { hunk, lines, open, isCurrent } = about;
  if (open && endOf(lines, open.span) !== undefined) return open.span;
  const choice = model.choice.value;
  return isCurrent && choice?.hunk === hunk.key ? spanOf(lines, choice.from, choice.to) : undefined;
}

/** A press on a number chooses its line, a drag chooses lines; then the field for a comment opens. */
function startChoice(
  event: PointerEvent,
  {
    model,
    hunk,
    lines,
  }: { readonly model: ReviewModel; readonly hunk: ReviewedHunk; readonly lines: readonly HunkLine[] },
): void {
  const isNumber = event.target instanceof Element && event.target.matches('.review-number');
  const first = positionAt(event.target, lines);
  if (!isNumber || first === undefined || event.button !== 0) return;
  if (model.review.value?.readOnly !== undefined) return;
  event.preventDefault();
  const before = model.choice.value;
  const from = event.shiftKey && before?.hunk === hunk.key ? before.from : first;
  const choose = (to: number) => {
    model.choice.value = { hunk: hunk.key, from, to, isGrowing: false };
  };
  model.current.value = hunk.key;
  choose(first);
  const move = (next: PointerEvent) => {
    const to = positionAt(document.elementFromPoint(next.clientX, next.clientY), lines);
    if (to !== undefined) choose(to);
  };
  addEventListener('pointermove', move);
  addEventListener(
    'pointerup',
    () => {
      removeEventListener('pointermove', move);
      model.startComment();
    },
    { once: true },
  );
}

function positionAt(target: EventTarget | null, lines: readonly HunkLine[]): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  const index = Number(row?.dataset.index ?? Number.NaN);
  const position = lines.findIndex((line) => line.index === index);
  return position < 0 ? undefined : position;
}
