/** An element that the page surely has. */
export const at = <Kind extends HTMLElement = HTMLElement>(id: string) =>
  document.getElementById(id) as Kind;

export const form = (id: string) => at<HTMLFormElement>(id);
