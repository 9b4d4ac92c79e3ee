import { afterEach, beforeEach } from 'vitest';
import { openStage, type Stage } from './stage.ts';

/** A new stage before each test, used like one; afterwards its server is closed. */
export function stagePerTest(): Stage {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    await stage?.server.close();
  });
  const get = (_: object, name: string | symbol): unknown => {
    if (!stage) throw new Error('There is a stage in tests only.');
    return Reflect.get(stage, name);
  };
  return new Proxy({}, { get }) as Stage;
}
