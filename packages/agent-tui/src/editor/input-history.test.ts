import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { decodeHistory, encodeHistoryEntry, InputHistory } from './input-history.ts';

describe('recall', () => {
  it('goes to older and newer texts and comes back to the draft', () => {
    proves('P-90');
    const history = new InputHistory(['first', '둘째', '第三']);
    const third = history.older('');
    const second = third && history.older(third);
    const first = second && history.older(second);
    expect([third?.text, second?.text, first?.text]).toEqual(['第三', '둘째', 'first']);
    expect(first && history.older(first)).toBeUndefined();
    expect(second && history.newer(second).text).toBe('第三');
    expect(third && history.newer(third)).toEqual({ draft: '', index: 3, text: '' });
  });

  it('puts entries that were read late before the others', () => {
    proves('P-90');
    const history = new InputHistory();
    history.add('new');
    history.addOlder(['old', 'older than new']);
    expect(history.entries).toEqual(['old', 'older than new', 'new']);
  });

  it('offers what begins as the draft does', () => {
    proves('P-90');
    const history = new InputHistory(['fix a', 'test b', 'fix c', 'fix c now']);
    const found = history.older('fix c');
    expect(found?.text).toBe('fix c now');
    expect(found && history.older(found)?.text).toBe('fix c');
    expect(found && history.newer(found).text).toBe('fix c');
    expect(history.older('nothing')).toBeUndefined();
  });

  it('searches for words anywhere, with capitals as they are written', () => {
    proves('P-90');
    const history = new InputHistory(['run the Tests', 'fix 버그', 'run the tests']);
    expect(history.search('tests')).toEqual({ index: 2, text: 'run the tests' });
    expect(history.search('tests', 2)).toEqual({ index: 0, text: 'run the Tests' });
    expect(history.search('Tests')).toEqual({ index: 0, text: 'run the Tests' });
    expect(history.searchNewer('tests', 0)).toEqual({ index: 2, text: 'run the tests' });
    expect(history.search('버그')?.index).toBe(1);
    expect(history.search('none')).toBeUndefined();
  });

  it('keeps a thousand texts, none twice in a row, none empty, and of huge ones the last four, which are not stored', () => {
    proves('P-90');
    const history = new InputHistory();
    expect(history.add('a')).toBe(true);
    expect(history.add('a')).toBe(false);
    expect(history.add('  \n')).toBe(false);
    for (const letter of ['u', 'v', 'x', 'y', 'z']) expect(history.add(letter.repeat(100_001))).toBe(false);
    expect(history.entries.map((entry) => entry[0])).toEqual(['a', 'v', 'x', 'y', 'z']);
    for (let index = 0; index < 1500; index++) history.add(`${index}`);
    expect(history.entries.length).toBe(1000);
    expect(history.entries.at(-1)).toBe('1499');
  });

  it('knows what of a text was pasted, in a file as well', () => {
    proves('P-90');
    const pasted = [{ start: 0, end: 3 }];
    const history = new InputHistory();
    expect(history.add('!a\nb', pasted)).toBe(true);
    expect(history.pastedIn('!a\nb')).toEqual(pasted);
    const entry = { text: '!a\nb', pasted };
    const read = decodeHistory(`${encodeHistoryEntry(entry)}{"text":"x","pasted":[{"start":-1,"end":9}]}\n`);
    expect(read).toEqual([entry]);
    const later = new InputHistory();
    later.add('typed');
    later.addOlder(read);
    expect(later.entries).toEqual(['!a\nb', 'typed']);
    expect([later.pastedIn('!a\nb'), later.pastedIn('typed')]).toEqual([pasted, []]);
    later.add('!a\nb');
    expect(later.pastedIn('!a\nb')).toEqual([]);
  });

  it('survives in a file whose last line is torn', () => {
    proves('P-90');
    const texts = ['one', '두 줄\n中文 🙂', '"quoted"'];
    const content = texts.map(encodeHistoryEntry).join('');
    expect(decodeHistory(content)).toEqual(texts);
    expect(decodeHistory(`${content}"tor`)).toEqual(texts);
    expect(decodeHistory('{"other":1}\n\n12\n"x"\n')).toEqual(['x']);
  });
});
