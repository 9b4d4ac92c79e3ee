import { isAbsolute } from 'node:path';
import {
  type BackgroundTask,
  hasEnded,
  type IAgentDefinition,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk/front-end';
import { bold, filterEscapes, oneLine, textWidth, truncateText, wrapText } from '@robota-sdk/agent-tui';
import { displayPath } from '../items/display-path.ts';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { RuledList } from './ruled-list.ts';
import { orderedTasks, renderTask } from './task-rows.ts';
import { showTaskOutput } from './tasks-screen.ts';

type AgentRow =
  | { readonly kind: 'agent'; readonly agent: IAgentDefinition }
  | { readonly kind: 'task'; readonly task: BackgroundTask };

/** Lists the agents that can be started, and those at work. */
export function openAgentsScreen(stage: Stage, session: InteractiveSession): void {
  const running = () => orderedTasks(session).filter((task) => task.kind === 'agent' && !hasEnded(task));
  const agents = session.listAgentDefinitions();
  const sources = agents.map((agent) => textWidth(sourceOf(agent, stage)));
  const sourceWidth = Math.min(longestSource, Math.max(...sources));
  const list = new RuledList<AgentRow>({
    stage,
    title: 'Agents',
    note: () => (running().length === 0 ? '' : `${running().length} running`),
    rows: () => [
      ...agents.map((agent) => ({ kind: 'agent', agent }) as const),
      ...running().map((task) => ({ kind: 'task', task }) as const),
    ],
    keyOf: (row) => (row.kind === 'agent' ? row.agent.name : row.task.id),
    render: (row, view) =>
      row.kind === 'agent'
        ? renderAgent(row.agent, {
            ...view,
            look: stage.look,
            source: sourceOf(row.agent, stage),
            sourceWidth,
          })
        : renderTask(row.task, { ...view, look: stage.look, lastLine: undefined }),
    hints: (row) =>
      row?.kind === 'task'
        ? [{ keys: 'enter', text: 'output' }, closeHint]
        : [
            startHint,
            { keys: 'space', text: 'details' },
            ...(fileOf(row?.agent) === undefined ? [] : [fileHint]),
            closeHint,
          ],
    onKey: ({ id: key }, row) => {
      if (row?.kind !== 'agent') return;
      if (key === 'space') read(row.agent);
      if (key === 'e') edit(row.agent);
    },
    onSelect: (row) => {
      if (row.kind === 'task') return showTaskOutput(row.task.id, { list, session, stage });
      start(row.agent);
    },
    onClose: () => close(),
  });
  const open: OpenPanel = stage.openScreen(list);
  const timer = setInterval(() => stage.refresh(), 1000).unref();
  const close = () => {
    clearInterval(timer);
    open.close();
  };
  const read = (agent: IAgentDefinition) =>
    list.read({
      title: oneLine(agent.name),
      note: () => sourceOf(agent, stage),
      lines: (width) => detailsOf(agent, { width, look: stage.look }),
      isFollowed: false,
      hints: () => [startHint, ...(fileOf(agent) === undefined ? [] : [fileHint])],
      onKey: (key) => {
        if (key === 'enter') start(agent);
        if (key === 'e') edit(agent);
      },
    });
  const start = ({ name }: IAgentDefinition) => {
    list.cancel();
    stage.edit(`/agent ${name} `);
  };
  const edit = (agent: IAgentDefinition) => {
    const file = fileOf(agent);
    if (file === undefined) return;
    list.cancel();
    void openInEditor(file, stage);
  };
}

async function openInEditor(file: string, stage: Stage): Promise<void> {
  const { editFileExternally } = await import('../editor/edit-externally.ts');
  if (await editFileExternally(file, { stage }))
    stage.print({
      kind: 'notice',
      level: 'info',
      text: 'Run /reload to use the changed agent.',
    });
}

const startHint = { keys: 'enter', text: 'start with a task' };
const fileHint = { keys: 'e', text: 'open the file' };
const closeHint = { keys: 'esc', text: 'close' };

interface AgentView {
  readonly width: number;
  readonly isSelected: boolean;
  readonly look: AppStyle;
  readonly source: string;
  readonly sourceWidth: number;
}

const nameWidth = 17;
const modelWidth = 10;
const longestSource = 26;
const longestAbout = 90;

function renderAgent(agent: IAgentDefinition, view: AgentView): string {
  const { width, isSelected, look, source, sourceWidth } = view;
  const { paint, glyphs } = look;
  const fit = (text: string, room: number) => {
    const shown = truncateText(oneLine(text), room, glyphs.ellipsis);
    return shown + ' '.repeat(Math.max(0, room - textWidth(shown)));
  };
  const room = Math.max(12, Math.min(longestAbout, width - nameWidth - modelWidth - 4 - sourceWidth));
  const name = fit(agent.name, nameWidth - 2);
  const about = `${fit(agent.description, room)}  ${fit(modelOf(agent), modelWidth)}  ${source}`;
  const line = `${isSelected ? paint('accent', bold(name)) : name}  ${isSelected ? about : paint('dim', about)}`;
  return truncateText(line, width, glyphs.ellipsis);
}

function modelOf({ model }: IAgentDefinition): string {
  return model === undefined || model === 'inherit' ? 'inherits' : model;
}

/** The file of a definition, if it has one. */
function fileOf(agent: IAgentDefinition | undefined): string | undefined {
  return agent?.source !== undefined && isAbsolute(agent.source) ? agent.source : undefined;
}

/** `built in`, or the file, relative to the working directory. */
function sourceOf({ source = '' }: IAgentDefinition, { format }: Pick<Stage, 'format'>): string {
  if (source === 'built-in') return 'built in';
  return isAbsolute(source) && format ? displayPath(source, format) : oneLine(source);
}

function toolsOf({ tools, disallowedTools = [] }: IAgentDefinition): string {
  const allowed = tools === undefined ? 'all' : tools.join(', ');
  return disallowedTools.length === 0 ? allowed : `${allowed} but ${disallowedTools.join(', ')}`;
}

function detailsOf(
  agent: IAgentDefinition,
  { width, look }: { readonly width: number; readonly look: AppStyle },
): readonly string[] {
  const { description, permissionMode, isolation, maxTurns, systemPrompt } = agent;
  const facts = [
    ['model', modelOf(agent)],
    ['tools', toolsOf(agent)],
    ...(permissionMode === undefined ? [] : [['mode', permissionMode]]),
    ...(isolation === undefined ? [] : [['works in', 'a separate worktree']]),
    ...(maxTurns === undefined ? [] : [['turns', `at most ${maxTurns}`]]),
  ] as const;
  const wrapped = (text: string) =>
    filterEscapes(text)
      .split('\n')
      .flatMap((line) => wrapText(line, width));
  return [
    ...wrapped(description),
    '',
    ...facts.flatMap(([name, value]) =>
      wrapped(`${look.paint('dim', String(name).padEnd(10))}${oneLine(String(value))}`),
    ),
    '',
    ...wrapped(systemPrompt),
  ];
}
