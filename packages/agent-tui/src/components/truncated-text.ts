import { expandTabs } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { CachedText } from './cached-text.ts';

/** One line of text; what does not fit is cut off and marked. */
export class TruncatedText extends CachedText {
  protected override draw(width: number): readonly string[] {
    const [first = '', ...rest] = this.text.split('\n', 2);
    return [truncateText(expandTabs(rest.length > 0 ? `${first} …` : first), width)];
  }
}
