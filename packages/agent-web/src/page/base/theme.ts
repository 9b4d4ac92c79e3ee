const storageKey = 'robota-theme';

/** Applies the theme that was chosen before; otherwise the system's is followed. */
export function startTheme(): void {
  const chosen = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}

/** Switches between light and dark. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme
    ? dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
  localStorage.setItem(storageKey, dataset.theme);
}
