import { readOptions, takeSubcommand } from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { webRow } from '../arguments/web-row.ts';
import { devicesCommand } from './devices-command.ts';
import { serveWebCommand } from './serve-web-command.ts';

/** Runs `robota web …`. */
export function webCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(webRow, given, 'shell');
  const options = readOptions(words, optionsOf('web', name));
  return name === 'devices' ? devicesCommand(options) : serveWebCommand(options);
}
