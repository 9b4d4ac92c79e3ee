/** The repository, for those who installed the program without it. */
export const repository = 'https://github.com/robota-sdk/robota/tree/main';

/** How this user calls the program: in the checkout, through npm, there may be no `robota` to call. */
export function programName(env: NodeJS.ProcessEnv = process.env): string {
  const isThroughNpm = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'robota-workspace';
  return isThroughNpm ? 'npm start --' : 'robota';
}

/** Fills that name into a text that has `{program}` in it. */
export function withProgram(text: string): string {
  return text.replaceAll('{program}', programName());
}
