import { Page } from '../../ui/page';

export function ProjectsScreen() {
  return <Page title="Projects">{null}</Page>;
}
