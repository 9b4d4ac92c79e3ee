/** The prompts of the tour, in order. */
export const tourPrompts = {
  explain: 'Run the tests. Why do they fail?',
  fix: 'Fix it',
  push: 'Push the fix',
  plan: 'Let a cart have a discount',
} as const;

/** The command that runs the tests of the project; a rule of the tour allows it. */
export const testCommand = 'node cart.test.js';

/** The command that a rule of the tour denies. */
export const deniedCommand = 'git push';

/** The line with the mistake, and the line that fixes it. */
export const wrongLine = '  for (const item of items) sum += item.price;';
export const rightLine = '  for (const item of items) sum += item.price * item.count;';

const head = 'export function total(items) {\n  let sum = 0;\n';
const end = '\n  return sum;\n}\n';

/** The function before and after the plan of the tour is carried out. */
export const plainTotal = head + rightLine + end;
export const discountTotal = `export function total(items, { discount = 0 } = {}) {
  let sum = 0;
${rightLine}
  return Math.round(sum * (1 - discount));
}
`;

/** The last test, and a test that the plan puts before it. */
export const lastTest = "check('counts every piece'";
export const discountTest = "check('takes a discount off', total([twoPens], { discount: 0.1 }), 450);\n";

/** The files of the project of the tour, by their names. */
export const tourFiles: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": { "test": "${testCommand}" }
}
`,
  'README.md': '# Shop\n\nA cart that knows its price. `npm test` runs the tests.\n',
  'cart.js': `/** The price of a cart, in cents. */\n${head}${wrongLine}${end}`,
  'cart.test.js': `import { total } from './cart.js';

const twoPens = { name: 'pen', price: 250, count: 2 };
const oneCard = { name: 'card', price: 100, count: 1 };

check('adds up the prices', total([oneCard, oneCard]), 200);
${lastTest}, total([twoPens, oneCard]), 600);

function check(name, actual, expected) {
  const passes = actual === expected;
  console.log(\`\${passes ? 'ok' : 'not ok'} - \${name}\`);
  if (passes) return;
  console.log(\`  expected: \${expected}\\n  actual:   \${actual}\`);
  process.exitCode = 1;
}
`,
};
