import { useComputed } from '@preact/signals';
import { visibleText } from '@robota-sdk/agent-export/page';
import { useState } from 'preact/hooks';
import type { ReviewedFile } from '../../contract/review.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { ChangeCounts, Tag } from '../components/status.tsx';
import { DraftView } from './comment-draft.tsx';
import { useNearby } from './diff-rows.tsx';
import { draftsOn } from './file-list.tsx';
import { Hunk } from './hunk-view.tsx';
import type { ReviewModel } from './review-model.ts';

/** The changes of one file. What is far from the window is an empty box. */
export function FileDiff({
  model,
  file,
  isSplit,
  isEarly,
}: {
  readonly model: ReviewModel;
  readonly file: ReviewedFile;
  readonly isSplit: boolean;
  readonly isEarly: boolean;
}) {
  const [isClosed, setClosed] = useState(false);
  const isCurrent = useComputed(() => model.place.value?.file.name === file.name).value;
  const { box, isNear } = useNearby<HTMLElement>(isEarly || isCurrent);
  const review = model.review.value;
  const drafts = review ? draftsOn(review, file.name) : 0;
  const lost = review?.drafts.filter((draft) => draft.file === file.name && draft.at === undefined) ?? [];
  return (
    <article
      ref={box}
      class="card review-file"
      id={`file-${encodeURIComponent(file.name)}`}
      aria-label={file.name}
    >
      <header>
        <Button
          kind="icon"
          icon="down"
          label={isClosed ? `Show ${file.name}` : `Hide ${file.name}`}
          expanded={!isClosed}
          onClick={() => setClosed(!isClosed)}
        />
        <h2>
          <code class="cut">{visibleText(file.name)}</code>
        </h2>
        {file.change !== 'edit' && <Tag>{file.change === 'create' ? 'new' : 'deleted'}</Tag>}
        {drafts > 0 && (
          <Tag icon="comment">
            {drafts}
            <span class="spoken"> drafts</span>
          </Tag>
        )}
        <span class="grow" />
        <ChangeCounts added={file.added} removed={file.removed} />
      </header>
      {isNear && !isClosed && (
        <>
          {file.refusal !== undefined && (
            <p class="review-note small">
              <Icon name="lock" /> Only to look at: {file.refusal}
            </p>
          )}
          {file.hunks.map((hunk, index) => (
            <Hunk
              key={hunk.key}
              model={model}
              file={file}
              hunk={hunk}
              isSplit={isSplit}
              isEarly={isEarly && index < 4}
              number={index + 1}
            />
          ))}
          {lost.map((draft) => (
            <DraftView key={draft.id} model={model} draft={draft} />
          ))}
        </>
      )}
      {!isNear && !isClosed && <Placeholder file={file} />}
    </article>
  );
}

/** An empty box of about the height that the hunks will have. */
function Placeholder({ file }: { readonly file: ReviewedFile }) {
  const height = file.hunks.reduce((sum, { lines }) => sum + 48 + lines.length * 20, 0);
  return <div style={{ height: `${height}px` }} />;
}
