import { randomUUID } from 'node:crypto';
import { type Answer, isJsonObject, type JsonObject, type Question } from '@robota-sdk/agent-sdk/front-end';

/** A question as a call of Claude Code's tool for questions, which its SDKs let the program answer. */
export function questionToolRequest(question: Question): JsonObject {
  const asked = {
    question: textOf(question),
    header: [...question.title].slice(0, longestHeader).join(''),
    options: choicesOf(question),
    multiSelect: question.kind === 'select' && (question.multiple ?? false),
  };
  return {
    subtype: 'can_use_tool',
    tool_name: 'AskUserQuestion',
    input: { questions: [asked] },
    tool_use_id: ('callId' in question ? question.callId : undefined) ?? randomUUID(),
  };
}

/** Reads the answer: the label of a choice, several with commas between them, or words of the user. */
export function questionToolAnswer({ behavior, updatedInput }: JsonObject, question: Question): Answer {
  const answers = isJsonObject(updatedInput) ? updatedInput.answers : undefined;
  const said = isJsonObject(answers) ? answers[textOf(question)] : undefined;
  if (behavior !== 'allow' || typeof said !== 'string') return { kind: 'dismissed' };
  if (question.kind === 'text') return { kind: 'text', text: said };
  if (question.kind === 'confirm') return { kind: 'confirmed', yes: said === yes };
  const labels = question.options.map(({ label }) => label);
  const chosen = labels.includes(said) || !question.multiple ? [said] : said.split(', ');
  const indexes = chosen.map((label) => labels.indexOf(label));
  if (indexes.every((index) => index >= 0)) return { kind: 'selected', indexes };
  const words = chosen.filter((label) => !labels.includes(label)).join(', ');
  return { kind: 'selected', indexes: indexes.filter((index) => index >= 0), text: words };
}

const longestHeader = 12;
const yes = 'Yes';

function textOf({ title, detail }: Question): string {
  return detail === undefined ? title : `${title}\n\n${detail}`;
}

function choicesOf(question: Question): JsonObject[] {
  if (question.kind === 'text') return [];
  if (question.kind === 'confirm') return [yes, 'No'].map((label) => ({ label, description: '' }));
  return question.options.map(({ label, description = '', preview }) => ({
    label,
    description,
    ...(preview === undefined ? {} : { preview }),
  }));
}
