import { dollars, plural } from '../base/format.ts';
import { type BreakCause, tokenText } from './usage-numbers.ts';

/** The causes of breaks of the prompt cache, what they cost and what helps. */
export function CacheBreakTable({ causes }: { readonly causes: readonly BreakCause[] }) {
  const count = causes.reduce((sum, cause) => sum + cause.count, 0);
  const cost = causes.reduce((sum, cause) => sum + cause.cost, 0);
  return (
    <div class="usage-breaks">
      <header>
        <h2 class="grow">What broke the prompt cache</h2>
        {count > 0 && (
          <span class="small dim">
            {plural(count, 'break')} · {dollars(cost)}
          </span>
        )}
      </header>
      {count === 0 ? (
        <p class="dim usage-pad">
          Nothing. Every request could use what the vendor had kept of the one before.
        </p>
      ) : (
        <table class="data-table">
          <thead>
            <tr>
              <th scope="col">
                <span class="spoken">Mark in the plot</span>
              </th>
              <th scope="col">Cause</th>
              <th scope="col" class="wide-cell">
                When
              </th>
              <th scope="col" class="number wide-cell">
                Read again
              </th>
              <th scope="col" class="number">
                Cost
              </th>
              <th scope="col" class="help-cell">
                What helps
              </th>
            </tr>
          </thead>
          <tbody>
            {causes.map((cause) => (
              <CauseRow key={cause.reason} {...cause} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function CauseRow({ mark, title, detail, help, when, tokens, cost }: BreakCause) {
  return (
    <tr>
      <td>{mark !== undefined && <span class="break-mark">{mark}</span>}</td>
      <td>
        <b>{title}</b>
        <p class="usage-detail">{detail}</p>
        {help !== '' && <p class="small dim help-line">{help}</p>}
      </td>
      <td class="dim wide-cell">{when}</td>
      <td class="number wide-cell">{tokenText(tokens)}</td>
      <td class="number">
        <b>{dollars(cost)}</b>
      </td>
      <td class="help-cell">{help}</td>
    </tr>
  );
}
