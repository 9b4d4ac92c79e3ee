import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankTools } from './rank-tools.ts';
import type { OfferedTool } from './tool-catalogue.ts';

function offered(name: string, description: string, title?: string): OfferedTool {
  const tool = { name, description, inputSchema: {}, ...(title === undefined ? {} : { title }) };
  return { server: 's', name: `mcp__s__${name}`, tool };
}

const tools = [
  offered('create_issue', 'Opens a ticket in the tracker'),
  offered('list_issues', 'Lists tickets of the tracker'),
  offered('sendMail', 'Writes to a person', 'Post a letter'),
  offered('run', 'Starts a job in the tracker'),
];

const ranked = (query: string) => rankTools(tools, query).map(({ tool }) => tool.name);

describe('the tools that fit a query', () => {
  it('have a word in their name before those that have it in their text', () => {
    expect(ranked('issue')).toEqual(['create_issue', 'list_issues']);
    expect(ranked('run tracker')[0]).toBe('run');
  });

  it('are found by parts of names, by titles and by beginnings of words', () => {
    expect(ranked('mail')).toEqual(['sendMail']);
    expect(ranked('LETTER')).toEqual(['sendMail']);
    expect(ranked('tick')).toEqual(['create_issue', 'list_issues']);
  });

  it('count rare words for more than common ones', () => {
    expect(ranked('tracker job')[0]).toBe('run');
  });

  it('are none for short parts of words, and for no words', () => {
    expect(ranked('iss')).toEqual([]);
    expect(ranked('')).toEqual([]);
    expect(ranked('?!')).toEqual([]);
  });

  it('are always some of those that there are, each once', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        const found = rankTools(tools, query);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((tool) => tools.includes(tool))).toBe(true);
      }),
    );
  });
});
