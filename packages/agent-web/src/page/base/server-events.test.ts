import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServerEventReader } from './server-events.ts';

const event = fc.record({
  id: fc.option(fc.stringMatching(/^[a-z0-9]{1,8}$/), { nil: undefined }),
  data: fc.jsonValue().map((value) => JSON.stringify(value)),
});

it('reads the same events however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(40)), fc.constantFrom('\n', '\r\n'), (events, cuts, end) => {
      const text = events
        .map(
          ({ id, data }) =>
            `${id === undefined ? '' : `id: ${id}${end}`}data: ${data}${end}${end}: still here${end}${end}`,
        )
        .join('');
      const reader = new ServerEventReader();
      const read = [];
      let at = 0;
      for (const cut of [...cuts, text.length]) {
        read.push(...reader.read(text.slice(at, at + cut)));
        at += cut;
      }
      expect(read).toEqual(events);
    }),
  );
});

it('joins the lines of one event', () => {
  expect(new ServerEventReader().read('event: x\ndata: one\ndata:two\n\n')).toEqual([
    { id: undefined, data: 'one\ntwo' },
  ]);
});
