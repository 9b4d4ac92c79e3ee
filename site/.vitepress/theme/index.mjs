import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import './style.css';

/** The install line, visible without scrolling. */
const install = () => h('pre', { class: 'install-line' }, 'npm install -g @robota-sdk/agent-cli');

/** The recording of the tour stands between the first words and the features. */
const recording = () =>
  h('div', { class: 'recording' }, [
    h('img', {
      src: `${import.meta.env.BASE_URL}media/tour.svg`,
      alt: 'The tour: a failing test is found, a change is asked about and allowed, and the tests pass',
    }),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'home-hero-actions-after': install, 'home-hero-after': recording }),
};
