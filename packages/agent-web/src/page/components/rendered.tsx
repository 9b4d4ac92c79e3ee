import { useLayoutEffect, useRef } from 'preact/hooks';

export interface RenderedProps {
  /** Makes the elements, with the renderer that exports use. */
  readonly render: () => Node | readonly Node[];
  /** It is made again when one of these changes. */
  readonly by: readonly unknown[];
  readonly class?: string;
}

/** Elements of the shared renderer inside a component. */
export function Rendered({ render, by, class: name }: RenderedProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = render();
    box.current?.replaceChildren(...(nodes instanceof Node ? [nodes] : nodes));
  }, by);
  return <div ref={box} class={name} />;
}
