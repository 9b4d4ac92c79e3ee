import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Question,
} from '@robota-sdk/agent-core';

/** One thing a server wants to know. */
export interface ElicitationField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** A parsed answer; `again` gives the reason to ask again. */
export type FieldAnswer =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'left-out' }
  | { readonly kind: 'again'; readonly problem: string };

/** The fields of a form in their order. */
export function formFields(schema: JsonObject): readonly ElicitationField[] {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, field]) =>
    isJsonObject(field) ? [{ name, schema: field, isRequired: names.includes(name) }] : [],
  );
}

/** The choices of a field that is one of several, or some of them. */
function choicesOf({ schema }: ElicitationField): readonly { value: string; label: string }[] {
  const source = schema.type === 'array' && isJsonObject(schema.items) ? schema.items : schema;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled)
    return titled
      .filter(isJsonObject)
      .flatMap(({ const: value, title }) =>
        typeof value === 'string' ? [{ value, label: typeof title === 'string' ? title : value }] : [],
      );
  const names = Array.isArray(source.enumNames) ? source.enumNames : [];
  const values = Array.isArray(source.enum) ? source.enum : [];
  return values.map((value, index) => ({ value: String(value), label: String(names[index] ?? value) }));
}

/** The question that asks for a field. */
export function questionFor(field: ElicitationField, about: string): Question {
  const { schema, name, isRequired } = field;
  const title = typeof schema.title === 'string' ? schema.title : name;
  const detail = [about, schema.description, hintFor(field)].filter((part) => part !== undefined).join('\n');
  const choices = choicesOf(field);
  if (choices.length > 0) {
    const options = choices.map(({ value, label }) => ({
      label,
      ...(label === value ? {} : { description: value }),
    }));
    const leaveOut = isRequired && schema.default === undefined ? [] : [{ label: leaveOutLabel(field) }];
    const isMultiple = schema.type === 'array';
    return {
      kind: 'select',
      title,
      detail,
      options: [...options, ...leaveOut],
      ...(isMultiple ? { multiple: true } : {}),
    };
  }
  if (schema.type === 'boolean') {
    const options = [
      { label: 'Yes', means: 'yes' as const },
      { label: 'No', means: 'no' as const },
    ];
    const leaveOut = isRequired && schema.default === undefined ? [] : [{ label: leaveOutLabel(field) }];
    return { kind: 'select', title, detail, options: [...options, ...leaveOut] };
  }
  return { kind: 'text', title, detail };
}

/** The chosen value, by positions in the question's options. */
export function chosenValue(field: ElicitationField, indexes: readonly number[]): FieldAnswer {
  const choices = field.schema.type === 'boolean' ? [{ value: true }, { value: false }] : choicesOf(field);
  if (field.schema.type === 'array' && indexes.includes(choices.length)) return leftOut(field);
  if (field.schema.type === 'array')
    return checked(
      field,
      indexes.flatMap((index) => choices[index]?.value ?? []),
    );
  const choice = choices[indexes[0] ?? -1];
  return choice ? { kind: 'value', value: choice.value } : leftOut(field);
}

/** Converts typed text to the wanted type. */
export function typedValue(field: ElicitationField, text: string): FieldAnswer {
  if (text.trim() === '') return leftOut(field);
  const { type } = field.schema;
  return checked(field, type === 'number' || type === 'integer' ? text.trim() : text);
}

function leftOut({ schema, isRequired }: ElicitationField): FieldAnswer {
  if (schema.default !== undefined) return { kind: 'value', value: schema.default };
  return isRequired ? { kind: 'again', problem: 'It is needed.' } : { kind: 'left-out' };
}

function checked({ schema }: ElicitationField, value: JsonValue): FieldAnswer {
  const parsed = jsonSchema<JsonValue>(schema).parse(value);
  if (!parsed.ok) return { kind: 'again', problem: `That cannot be used: ${parsed.error}.` };
  const problem = formatProblem(schema.format, parsed.value);
  return problem === undefined ? { kind: 'value', value: parsed.value } : { kind: 'again', problem };
}

interface Format {
  readonly pattern: RegExp;
  readonly name: string;
  /** True if what looks right is right. */
  isReal?(text: string): boolean;
}

/** A day that the calendar has: the 31st of February would be taken for one in March. */
const isDay = (text: string) =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const formats: Readonly<Record<string, Format>> = {
  email: { pattern: /^[^\s@]+@[^\s@]+$/, name: 'an e-mail address' },
  uri: { pattern: /^[a-z][a-z0-9+.-]*:\S+$/i, name: 'an address such as https://example.com' },
  date: { pattern: /^\d{4}-\d{2}-\d{2}$/, name: 'a date such as 2026-01-31', isReal: isDay },
  'date-time': {
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/,
    name: 'a time such as 2026-01-31T12:00:00Z',
    isReal: (text) => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  },
};

function formatOf(format: JsonValue | undefined) {
  return typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
}

function formatProblem(format: JsonValue | undefined, value: JsonValue): string | undefined {
  const known = formatOf(format);
  if (!known || typeof value !== 'string') return undefined;
  if (known.pattern.test(value) && (known.isReal?.(value) ?? true)) return undefined;
  return `That is not ${known.name}.`;
}

/** A choice takes no typed text; skipping is one of its options. */
function hintFor(field: ElicitationField): string | undefined {
  const { schema, isRequired } = field;
  if (schema.type === 'boolean' || choicesOf(field).length > 0) return undefined;
  const parts = [
    formatOf(schema.format)?.name,
    schema.type === 'integer' ? 'a whole number' : schema.type === 'number' ? 'a number' : undefined,
    schema.default === undefined ? undefined : `empty for ${JSON.stringify(schema.default)}`,
    isRequired || schema.default !== undefined ? undefined : 'may be left empty',
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `(${parts.join(', ')})`;
}

function leaveOutLabel({ schema }: ElicitationField): string {
  return schema.default === undefined ? 'Leave it out' : `As suggested: ${JSON.stringify(schema.default)}`;
}
