import { useComputed } from '@preact/signals';
import { visibleText } from '@robota-sdk/agent-export/page';
import { useState } from 'preact/hooks';
import type { ReviewedFile, ReviewReply } from '../../contract/review.ts';
import { plural } from '../base/format.ts';
import { CutMiddle } from '../components/cut-middle.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';
import type { ReviewModel } from './review-model.ts';

/** Changed files by their folders, with what was decided about each. */
export function FileList({
  model,
  onOpen,
}: {
  readonly model: ReviewModel;
  readonly onOpen: (file: ReviewedFile) => void;
}) {
  const [filter, setFilter] = useState('');
  const review = model.review.value;
  if (!review) return null;
  const words = filter.toLowerCase();
  const shown = review.files.filter(({ name }) => name.toLowerCase().includes(words));
  return (
    <aside class="review-files" aria-label="Changed files">
      <label class="field review-find">
        <Icon name="search" />
        <input
          id="review-find"
          type="search"
          placeholder="Find a file"
          aria-label="Find a file"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
            const [first] = shown;
            if (event.key === 'Enter' && first) onOpen(first);
          }}
        />
        <Kbd keys="f" />
      </label>
      <ul>
        {foldersOf(shown).map(({ folder, files }) => (
          <li key={folder}>
            {folder !== '' && <p class="dim small review-folder">{folder}</p>}
            <ul>
              {files.map((file) => (
                <li key={file.name}>
                  <FileLink file={file} review={review} model={model} onOpen={onOpen} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Progress review={review} />
    </aside>
  );
}

function FileLink({
  file,
  review,
  model,
  onOpen,
}: {
  readonly file: ReviewedFile;
  readonly review: ReviewReply;
  readonly model: ReviewModel;
  readonly onOpen: (file: ReviewedFile) => void;
}) {
  const isHere = useComputed(() => model.place.value?.file.name === file.name).value;
  const decided = file.hunks.filter(({ state }) => state !== 'open').length;
  const drafts = draftsOn(review, file.name);
  const isDone = decided === file.hunks.length;
  return (
    <a
      href={`#file-${encodeURIComponent(file.name)}`}
      aria-current={isHere ? 'true' : undefined}
      title={visibleText(file.name)}
      onClick={(event) => {
        event.preventDefault();
        onOpen(file);
      }}
    >
      <Icon name={isDone ? 'check' : 'file'} class={isDone ? 'ok-text' : 'dim'} />
      <span class="cut grow">
        <CutMiddle text={visibleText(file.name.split('/').at(-1) ?? '')} />
      </span>
      {drafts > 0 && (
        <span class="review-count">
          <Icon name="comment" />
          {drafts}
          <span class="spoken"> drafts</span>
        </span>
      )}
      <small class="dim">
        {decided}/{file.hunks.length}
        <span class="spoken"> hunks decided</span>
      </small>
    </a>
  );
}

export function draftsOn(review: ReviewReply, name: string): number {
  return review.drafts.filter(({ file }) => file === name).length;
}

function foldersOf(files: readonly ReviewedFile[]) {
  const folders = new Map<string, ReviewedFile[]>();
  for (const file of files) {
    const folder = file.name.includes('/') ? file.name.slice(0, file.name.lastIndexOf('/')) : '';
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders].map(([folder, own]) => ({ folder, files: own }));
}

/** How much of the review is decided. */
function Progress({ review }: { readonly review: ReviewReply }) {
  const hunks = review.files.flatMap((file) => file.hunks);
  const count = (wanted: string) => hunks.filter(({ state }) => state === wanted).length;
  const kept = count('kept');
  const taken = count('taken back');
  const text = `${kept + taken} of ${plural(hunks.length, 'hunk')} decided`;
  const part = (number: number) => ({ width: `${(number / Math.max(1, hunks.length)) * 100}%` });
  return (
    <div class="review-progress small">
      <p>{text}</p>
      <span class="meter" role="img" aria-label={text}>
        <i class="review-kept-part" style={part(kept)} />
        <i class="review-taken-part" style={part(taken)} />
      </span>
      <p class="dim">
        {kept} kept, {taken} taken back
      </p>
    </div>
  );
}
