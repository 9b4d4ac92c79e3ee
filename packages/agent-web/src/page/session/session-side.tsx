import { renderMarkdown } from '@robota-sdk/agent-export/page';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ContextUse, SessionSnapshot, TreeNode } from '../../contract/session.ts';
import { pathWithin, shortCount } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { CutMiddle } from '../components/cut-middle.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';
import { Rendered } from '../components/rendered.tsx';
import { ChangeCounts } from '../components/status.tsx';
import { RewindDialog } from './rewind-dialog.tsx';
import type { SessionStore } from './session-store.ts';
import { SessionTree } from './session-tree.tsx';

/** The parts of the side panel, which are tabs where the window is narrow. */
export type SideTab = 'chat' | 'plan' | 'changes' | 'tree';

export interface SessionSideProps {
  readonly store: SessionStore;
  readonly cwd: string;
  readonly state: SessionSnapshot;
  readonly tab: SideTab;
}

/** Plan, context, changed files and tree of a session. */
export function SessionSide({ store, cwd, state, tab }: SessionSideProps) {
  const done = state.todos.filter(({ status }) => status === 'completed').length;
  return (
    <aside class={`session-side show-${tab}`} aria-label="Session details">
      <div class="side-plan">
        {state.todos.length > 0 ? (
          <Section title="Plan" note={`${done} of ${state.todos.length}`}>
            <PlanList state={state} />
          </Section>
        ) : (
          <Section title="Plan">
            <p class="side-none">No plan yet.</p>
          </Section>
        )}
        <ContextMeter context={state.context} />
      </div>
      <div class="side-changes">
        <Section
          title="Changes"
          note={
            state.changes.length > 0 && (
              <a class="accent-text" href={`/s/${encodeURIComponent(store.id)}/review`}>
                Review <Kbd keys="r" />
              </a>
            )
          }
        >
          <ChangedFiles state={state} cwd={cwd} />
        </Section>
      </div>
      <div class="side-tree">
        <TreeSection store={store} state={state} />
      </div>
    </aside>
  );
}

/** The tree, and the way back to before one of its prompts. */
function TreeSection({ store, state }: { readonly store: SessionStore; readonly state: SessionSnapshot }) {
  const [chosen, setChosen] = useState<TreeNode | undefined>(undefined);
  const last = state.tree.findLast(({ isOnBranch }) => isOnBranch);
  // A run and another process write to the same branch.
  const isFree = state.runningSince === undefined && state.holder !== 'elsewhere';
  return (
    <Section
      title="Tree"
      note={
        last && (
          <Button kind="quiet" disabled={!isFree} onClick={() => setChosen(last)}>
            Rewind
          </Button>
        )
      }
    >
      <SessionTree nodes={state.tree} {...(isFree ? { onChoose: setChosen } : {})} />
      {chosen && (
        <RewindDialog store={store} nodes={state.tree} chosen={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Section({ title, note, children }: SectionProps) {
  return (
    <section class="side-section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="small dim">{note}</span>
      </header>
      {children}
    </section>
  );
}

function PlanList({ state }: { readonly state: SessionSnapshot }) {
  return (
    <ol class="plan-list">
      {state.todos.map(({ text, status }) => (
        <li key={text} class={`plan-${status}`}>
          {status === 'pending' ? (
            <i aria-hidden="true" />
          ) : (
            <Icon name={status === 'completed' ? 'check' : 'running'} />
          )}
          <span class="spoken">{status === 'in-progress' ? 'in progress: ' : `${status}: `}</span>
          <Rendered by={[text]} render={() => renderMarkdown(text)} />
        </li>
      ))}
    </ol>
  );
}

const series = ['s4', 's3', 's2', 's1'] as const;

/** How the context window is used. */
function ContextMeter({ context }: { readonly context: ContextUse }) {
  const { used, max, parts, compactsAt, cachedShare } = context;
  if (max === 0) return null;
  const percent = (tokens: number) => Math.round((tokens / max) * 100);
  const notes = [
    compactsAt === undefined ? '' : `Compacts at ${Math.round(compactsAt * 100)}%.`,
    cachedShare === undefined ? '' : `Cached so far: ${Math.round(cachedShare * 100)}%.`,
  ].filter((note) => note !== '');
  const shown = parts.length > 0 ? parts : [{ name: 'Used', tokens: used }];
  const label = `Context: ${shown.map(({ name, tokens }) => `${name} ${percent(tokens)}%`).join(', ')}, free ${100 - percent(used)}%`;
  return (
    <Section
      title="Context"
      note={
        <>
          {shortCount(used)} of {shortCount(max)} · <b>{percent(used)}%</b>
        </>
      }
    >
      <div class="context-bar" role="img" aria-label={label}>
        {shown.map(({ name, tokens }, index) => (
          <i
            key={name}
            class={`fill-${series[(index + (shown.length === 1 ? 3 : 0)) % 4]}`}
            style={{ width: `${(tokens / max) * 100}%` }}
          />
        ))}
      </div>
      {parts.length > 0 && (
        <ul class="context-legend">
          {parts.map(({ name, tokens }, index) => (
            <li key={name}>
              <i class={`fill-${series[index % 4]}`} />
              {name}
              <span>{shortCount(tokens)}</span>
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && <p class="small dim">{notes.join(' ')}</p>}
    </Section>
  );
}

function ChangedFiles({ state, cwd }: { readonly state: SessionSnapshot; readonly cwd: string }) {
  if (state.changes.length === 0) return <p class="side-none">No file was changed.</p>;
  return (
    <ul class="changed-files">
      {state.changes.map(({ path, added, removed }) => (
        <li key={path}>
          <code class="cut grow" title={path}>
            <CutMiddle text={pathWithin(cwd, path)} />
          </code>
          <ChangeCounts added={added} removed={removed} />
        </li>
      ))}
    </ul>
  );
}
