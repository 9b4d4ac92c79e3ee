import type { Capabilities } from '../terminal/capabilities.ts';
import { CapabilityProbe } from '../terminal/capability-probe.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { TerminalMode } from '../terminal/terminal-modes.ts';
import type { Screen } from './screen.ts';

/** Options of {@link adaptToTerminal}. */
export interface AdaptOptions {
  readonly terminal: Terminal;
  readonly screen: Pick<Screen, 'setSynchronized'>;
  readonly capabilities: Capabilities;
  /** Called for every answer that changes the capabilities, also later when the user changes the colours. */
  readonly onChange: (capabilities: Capabilities) => void;
  readonly timeoutMs?: number;
}

/** The modes that a terminal gets before it is asked anything. */
export function firstModes({ isDumb, program, hasProgress }: Capabilities): readonly TerminalMode[] {
  if (isDumb) return [];
  if (program === 'linux') return ['bracketedPaste'];
  const modes = ['title', 'bracketedPaste', 'kittyKeyboard', 'focusReports'] as const;
  return hasProgress ? [...modes, 'progress'] : modes;
}

/**
 * Asks a terminal what it can do and makes use of it. Called after the first frame; the caller hands the answers that
 * the screen reads to the probe.
 */
export function adaptToTerminal(options: AdaptOptions): CapabilityProbe {
  const { terminal, screen, capabilities, onChange, timeoutMs } = options;
  const probe = new CapabilityProbe({
    capabilities,
    write: (query) => void terminal.write(query),
    onChange: (known) => {
      if (known.isSynchronized) screen.setSynchronized();
      onChange(known);
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  if (capabilities.isDumb || capabilities.program === 'linux') {
    probe.stop();
    return probe;
  }
  terminal.enable('colourSchemeReports');
  void probe.finished.then(({ hasKittyKeyboard }) => {
    if (!hasKittyKeyboard) terminal.enable('modifyOtherKeys');
  });
  probe.start();
  return probe;
}
