import type { ToolItem } from '@robota-sdk/agent-sessions';
import { cutNotice } from '../items/cut-notice.ts';
import { describeCompaction } from '../items/describe-compaction.ts';
import type { ShownItem } from '../items/fold-reads.ts';
import { callText } from '../items/tool-title.ts';

/** The full text of an item, for searching and copying. */
export function itemText(item: ShownItem): string {
  switch (item.kind) {
    case 'tool':
      return [callText(item), toolText(item)].filter((part) => part !== '').join('\n');
    case 'reads':
      return item.calls.map(itemText).join('\n');
    case 'shell':
      return [`! ${item.command}`, item.output].filter((part) => part !== '').join('\n');
    case 'run-end':
      return '';
    case 'cut':
      return cutNotice(item).text;
    case 'compaction':
      return [describeCompaction(item), item.summary ?? ''].filter((part) => part !== '').join('\n');
    default:
      return item.text;
  }
}

function toolText({ display, output }: ToolItem): string {
  switch (display?.kind) {
    case 'diff':
      return [display.path, ...display.lines.map(({ kind, text }) => signs[kind] + text)].join('\n');
    case 'file':
    case 'text':
    case 'plan':
      return display.text;
    case 'terminal':
      return display.output;
    case 'todos':
      return display.items.map(({ text }) => text).join('\n');
    default:
      return output;
  }
}

const signs = { added: '+ ', removed: '- ', context: '  ', gap: '' } as const;
