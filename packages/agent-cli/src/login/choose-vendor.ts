import {
  type Config,
  didYouMean,
  keyOrigins,
  type UserInterface,
  type Vendor,
} from '@robota-sdk/agent-sdk/front-end';

/** Asks for a vendor that takes keys, again if the answer fits none. */
export async function chooseVendor(config: Config, ui: UserInterface): Promise<Vendor | undefined> {
  const origins = keyOrigins(config);
  for (;;) {
    const answer = await ui.ask({
      kind: 'select',
      title: 'Which vendor is the key for?',
      trail: 'Vendor',
      words: 'its name',
      options: origins.map(({ vendor, origin }) => ({
        label: vendor.name,
        ...(origin === undefined ? {} : { description: `has one already: ${origin}` }),
      })),
    });
    if (answer.kind !== 'selected') return undefined;
    if (answer.text === undefined) return origins[answer.indexes[0] ?? -1]?.vendor;
    const named = answer.text.toLowerCase();
    const found = origins.find(({ vendor: { id, name } }) => id === named || name.toLowerCase() === named);
    if (found) return found.vendor;
    const ids = origins.map(({ vendor }) => vendor.id);
    const hint = didYouMean(named, ids) ?? 'Answer with a number or a name of the list.';
    ui.notify({ level: 'warning', text: `No vendor is called "${answer.text}". ${hint}` });
  }
}
