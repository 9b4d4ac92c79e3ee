import { type Config, keyOrigins, type UserInterface, type Vendor } from '@robota-sdk/agent-sdk/front-end';

/** Has a person choose a vendor that takes keys. */
export async function chooseVendor(config: Config, ui: UserInterface): Promise<Vendor | undefined> {
  const origins = keyOrigins(config);
  const answer = await ui.ask({
    kind: 'select',
    title: 'Which vendor is the key for?',
    words: 'its name',
    options: origins.map(({ vendor, origin }) => ({
      label: vendor.name,
      ...(origin === undefined ? {} : { description: `has one already: ${origin}` }),
    })),
  });
  if (answer.kind !== 'selected') return undefined;
  if (answer.text === undefined) return origins[answer.indexes[0] ?? -1]?.vendor;
  const named = answer.text.toLowerCase();
  return origins.find(({ vendor: { id, name } }) => id === named || name.toLowerCase() === named)?.vendor;
}
