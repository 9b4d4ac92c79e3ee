/** Programs that change the layout of a disk, with the arguments that only show it. */
const partitioners: Readonly<Record<string, RegExp>> = {
  cfdisk: /^$/,
  cgdisk: /^$/,
  fdisk: /^(?:-[lx]|--list|--list-details)$/,
  gdisk: /^-l$/,
  parted: /^(?:-l|--list|print|p)$/,
  sfdisk: /^(?:-[lJdFTVn]|--(?:list|json|dump|list-free|verify|no-act).*)$/,
  sgdisk: /^(?:-[piLvP]|--(?:print|info|list|verify|pretend).*)$/,
};

const partitionChanges =
  /^(?:-[A-Za-z]*[ZzodnGg]|--(?:zap|clear|delete|new|wipe).*|rm|mk\w+|resizepart|resize|set|rescue)$/;

/** Subcommands or options that erase a disk, by program. */
const erasers: Readonly<Record<string, RegExp>> = {
  badblocks: /^-[A-Za-z]*w/,
  cryptsetup: /^(?:luksFormat|luksErase|erase|reencrypt)$/,
  hdparm: /^--(?:security-erase|trim-sector|make-bad)/,
  nvme: /^(?:format|sanitize|write-zeroes)$/,
};

/** Programs that `erasesDisk` judges. */
export const diskPrograms: readonly string[] = [...Object.keys(partitioners), ...Object.keys(erasers)];

/** True if a program with these arguments would erase or repartition a disk. */
export function erasesDisk(
  name: string,
  values: readonly string[],
  { namesDevice }: { namesDevice: boolean },
): boolean {
  const eraser = Object.hasOwn(erasers, name) ? erasers[name] : undefined;
  if (eraser !== undefined) return values.some((value) => eraser.test(value));
  const shows = Object.hasOwn(partitioners, name) ? partitioners[name] : undefined;
  if (shows === undefined || !namesDevice) return false;
  return !values.some((value) => shows.test(value)) || values.some((value) => partitionChanges.test(value));
}
