/**
 * Rewrites advice for the way the program was started: in a checkout, through npm, there may be no `robota`.
 */
export function asCalled(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const isThroughNpm = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'robota-workspace';
  return isThroughNpm ? text.replace(commands, 'npm start -- ') : text;
}

/** `robota` where something follows that it is called with. */
const commands =
  /\brobota (?=(?:-|\[|"|login|logout|doctor|sessions|config|permissions|plugin|help)(?:\b|[-["\]]))/g;
