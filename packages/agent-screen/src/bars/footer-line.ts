import type { ItemFormat } from '../items/item-view.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { renderCompactFooter } from './compact-footer.ts';
import { renderChosenFooter } from './footer-fields.ts';
import { type FooterState, renderFooter } from './render-footer.ts';

/** The state of the footer, and how it is drawn. */
export interface FooterSource extends FooterState {
  readonly view: ItemFormat['view'];
  readonly look: AppStyle;
}

/** The line at the foot. It is drawn again only after something happened, since it reads the whole conversation. */
export class FooterLine {
  #drawn: { readonly columns: number; readonly line: string } | undefined;
  #doing: FooterState['doing'];

  /** The activity that is shown. */
  get doing(): FooterState['doing'] {
    return this.#doing;
  }

  clear(): void {
    this.#drawn = undefined;
  }

  render(columns: number, source: () => FooterSource): string {
    if (this.#drawn?.columns !== columns) {
      const state = source();
      this.#doing = state.doing;
      this.#drawn = { columns, line: drawFooter(state, columns) };
    }
    return this.#drawn.line;
  }
}

/** A notice and the user's own command come before chosen fields. */
function drawFooter(state: FooterSource, columns: number): string {
  const { fields, told, own, look } = state;
  if (fields !== undefined && told === '' && own === undefined)
    return renderChosenFooter(state, fields, { look, columns });
  const draw = state.view === 'compact' ? renderCompactFooter : renderFooter;
  return draw(state, look, columns);
}
