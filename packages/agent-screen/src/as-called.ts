/** Advice with the command as this person calls it: in the checkout, through npm, there may be no `robota` to call. */
export function asCalled(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const isThroughNpm = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'robota-workspace';
  return isThroughNpm ? text.replace(commands, 'npm start -- ') : text;
}

/** `robota` where something follows that it is called with. */
const commands =
  /\brobota (?=(?:-|\[|"|login|logout|doctor|sessions|config|permissions|plugin|help)(?:\b|[-["\]]))/g;
