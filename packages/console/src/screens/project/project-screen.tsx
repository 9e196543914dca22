import { Page } from '../../ui/page';

export function ProjectScreen() {
  return <Page title="Project">{null}</Page>;
}
