import { useState } from 'preact/hooks';
import { plural } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Tag } from '../components/status.tsx';
import type { ReviewModel } from './review-model.ts';

/** The drafts that wait, and the button that sends all of them as one message. */
export function SendBar({ model }: { readonly model: ReviewModel }) {
  const [isPreview, setPreview] = useState(false);
  const review = model.review.value;
  const count = review?.drafts.length ?? 0;
  if (!review || count === 0) return null;
  return (
    <section class="review-send" aria-label="Drafts">
      <Tag tone="accent" icon="comment">
        {count}
      </Tag>
      <p class="cut grow">
        <b>{plural(count, 'draft comment')}</b> <span class="dim wide">also shown in the terminal</span>
      </p>
      <Button class="review-wide" onClick={() => setPreview(true)}>
        Preview message
      </Button>
      <Button
        kind="primary"
        keys="ctrl shift enter"
        disabled={review.readOnly !== undefined}
        onClick={() => void model.send()}
      >
        Send {plural(count, 'comment')}
      </Button>
      {isPreview && (
        <Dialog title="Message to the agent" onClose={() => setPreview(false)}>
          <pre class="review-message">{review.message}</pre>
          <div class="dialog-actions review-message-actions">
            <Button kind="quiet" onClick={() => setPreview(false)}>
              Close
            </Button>
            <Button
              kind="primary"
              disabled={review.readOnly !== undefined}
              onClick={() => {
                setPreview(false);
                void model.send();
              }}
            >
              Send {plural(count, 'comment')}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
