import { visibleText } from '@robota-sdk/agent-export/page';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ReviewedFile, ReviewReply } from '../../contract/review.ts';
import { focusSoon } from '../base/focus.ts';
import { dollars, plural } from '../base/format.ts';
import { useKeys } from '../base/keys.ts';
import { navigate } from '../base/router.ts';
import { followSession } from '../base/stream.ts';
import { AppShell, BackButton, ProjectAndBranch } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { Segmented } from '../components/segmented.tsx';
import { FileDiff } from './file-diff.tsx';
import { FileList } from './file-list.tsx';
import { reviewKeys, showFile } from './review-keys.ts';
import { ReviewModel } from './review-model.ts';
import { SendBar } from './send-bar.tsx';
import { TargetChoice } from './target-choice.tsx';

const hints = 'j/k hunk · J/K file · enter comment · v select lines · y keep · u take back';

export interface ReviewScreenProps {
  readonly kind: 'session' | 'task';
  readonly id: string;
}

/** The changes of a session or a task, by file and hunk. */
export function ReviewScreen({ kind, id }: ReviewScreenProps) {
  const address = `/api/${kind}s/${encodeURIComponent(id)}/review` as const;
  const [target, setTarget] = useState(() => new URLSearchParams(location.search).get('target') ?? '');
  const model = useMemo(() => new ReviewModel(address, target), [address, target]);
  const choose = (next: string) => {
    setTarget(next);
    const here = next === '' ? location.pathname : `?${new URLSearchParams({ target: next })}`;
    history.replaceState(null, '', here);
  };
  const [layout, setLayout] = useState<'unified' | 'split'>('unified');
  const review = model.review.value;
  const session = review?.session ?? (kind === 'session' ? id : undefined);
  useEffect(() => void model.load(), [model]);
  useEffect(() => followSession(session), [session]);
  const transcript = session === undefined ? undefined : `/s/${encodeURIComponent(session)}`;
  const isSplit = layout === 'split';
  useKeys(
    useMemo(
      () =>
        reviewKeys(model, {
          transcript: () => (transcript === undefined ? false : navigate(transcript)),
          split: () => setLayout((before) => (before === 'split' ? 'unified' : 'split')),
        }),
      [model, transcript],
    ),
  );
  return (
    <AppShell
      title={review ? `Review: ${review.title}` : 'Review'}
      hints={hints}
      detail
      {...(session === undefined ? {} : { session })}
      bar={
        <>
          <BackButton />
          <div class="top-title">
            <h1>{review?.title ?? 'Review'}</h1>
            {review && <ReviewFacts review={review} />}
          </div>
          {kind === 'session' && <TargetChoice path={address} target={target} onChange={choose} />}
          <Segmented
            class="review-wide"
            label="Diff layout"
            value={layout}
            options={[
              { value: 'unified', text: 'Unified' },
              { value: 'split', text: 'Split' },
            ]}
            onChange={setLayout}
          />
          {transcript !== undefined && (
            <Button href={transcript} keys="t" class="review-wide">
              Transcript
            </Button>
          )}
          {review && review.readOnly === undefined && hasOpen(review) && (
            <Button icon="check" class="review-wide" onClick={() => void model.keepRest()}>
              Keep the rest
            </Button>
          )}
        </>
      }
    >
      <ReviewContent model={model} isSplit={isSplit} transcript={transcript} />
    </AppShell>
  );
}

function hasOpen({ files }: ReviewReply): boolean {
  return files.some(({ hunks }) => hunks.some(({ state }) => state === 'open'));
}

function ReviewFacts({ review }: { readonly review: ReviewReply }) {
  const hunks = review.files.reduce((sum, { hunks: own }) => sum + own.length, 0);
  return (
    <p class="top-detail">
      <ProjectAndBranch cwd={review.folder} branch={review.branch} />
      {' · '}
      {review.target !== 'this session' && `${review.target} · `}
      {plural(hunks, 'hunk')} in {plural(review.files.length, 'file')}
      {review.cost !== null && review.cost > 0 && ` · ${dollars(review.cost)}`}
    </p>
  );
}

function ReviewContent({
  model,
  isSplit,
  transcript,
}: {
  readonly model: ReviewModel;
  readonly isSplit: boolean;
  readonly transcript: string | undefined;
}) {
  const review = model.review.value;
  const error = model.error.value;
  const problem = model.problem.value;
  const open = (file: ReviewedFile) => showFile(model, file);
  const late = review?.files.findIndex((_, index) => linesBefore(review, index) >= earlyLines) ?? -1;
  if (!review)
    return error === undefined ? (
      <Loading rows={3} />
    ) : (
      <div class="review-main">
        <ErrorCard title="Cannot read the changes." message={error} onRetry={() => void model.load()} />
      </div>
    );
  return (
    <div class="review">
      <FileList model={model} onOpen={open} />
      <div class="review-main">
        {error !== undefined && <ErrorCard title="Cannot read the changes." message={error} />}
        {problem !== undefined && <ErrorCard title="That did not work." message={problem} />}
        {review.readOnly !== undefined && (
          <p class="review-banner">
            <Icon name="lock" /> <span class="grow">{review.readOnly}</span>
            {transcript !== undefined && <Button href={transcript}>Open the session</Button>}
          </p>
        )}
        {model.sent.value !== undefined && review.drafts.length === 0 && (
          <SentBanner count={model.sent.value} transcript={transcript} />
        )}
        <Notes review={review} />
        {review.files.length === 0 && (
          <EmptyState>No changes: {review.target} left every file as it was.</EmptyState>
        )}
        {review.files.length > 0 && <FilePicker model={model} review={review} onOpen={open} />}
        {review.files.map((file, index) => (
          <FileDiff
            key={file.name}
            model={model}
            file={file}
            isSplit={isSplit}
            isEarly={late < 0 || index < late}
          />
        ))}
        <SendBar model={model} />
      </div>
    </div>
  );
}

function SentBanner({
  count,
  transcript,
}: {
  readonly count: number;
  readonly transcript: string | undefined;
}) {
  // The button that sent them is gone, and the focus with it.
  useEffect(() => focusSoon('.review-sent .button'), []);
  return (
    <p class="review-banner review-sent" role="status">
      <Icon name="check" /> <span class="grow">{plural(count, 'comment')} sent as one message.</span>
      {transcript !== undefined && <Button href={transcript}>Transcript</Button>}
    </p>
  );
}

/** As many lines as a high window shows are drawn at once; the others when they come near. */
const earlyLines = 60;

function linesBefore({ files }: ReviewReply, index: number): number {
  return files
    .slice(0, index)
    .reduce((sum, { hunks }) => sum + hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0), 0);
}

/** Changes that are not listed, with the reasons. */
function Notes({ review }: { readonly review: ReviewReply }) {
  const texts = [
    ...review.unknown.map((reason) => `More may have changed than is listed: ${reason}.`),
    ...(review.omitted.length === 0 ? [] : [`Cannot be shown: ${review.omitted.join(', ')}.`]),
  ];
  return (
    <>
      {texts.map((text) => (
        <p key={text} class="review-banner">
          {text}
        </p>
      ))}
    </>
  );
}

/** The list of files where there is no room for one beside the diff. */
function FilePicker({
  model,
  review,
  onOpen,
}: {
  readonly model: ReviewModel;
  readonly review: ReviewReply;
  readonly onOpen: (file: ReviewedFile) => void;
}) {
  const options = useMemo(() => review.files.map(optionOf), [review]);
  return (
    <label class="review-picker">
      <span class="spoken">File</span>
      <select
        class="field"
        value={model.place.value?.file.name ?? ''}
        onChange={(event) => {
          const file = review.files.find(({ name }) => name === event.currentTarget.value);
          if (file) onOpen(file);
        }}
      >
        {options}
      </select>
    </label>
  );
}

function optionOf({ name, hunks }: ReviewedFile, index: number, { length }: readonly ReviewedFile[]) {
  const decided = hunks.filter(({ state }) => state !== 'open').length;
  const text = `${index + 1} of ${length} · ${visibleText(name)} · ${decided}/${hunks.length}`;
  return (
    <option key={name} value={name}>
      {text}
    </option>
  );
}
