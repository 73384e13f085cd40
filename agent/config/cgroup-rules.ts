// Finds the relabeling rules that can drop a whole control group, because they read only labels
// that all processes of a group share.
import type { RelabelRule } from '../../src/model/relabel.ts';

/** Names of labels that depend only on the control group's path or on the host. */
const sharedNames =
  /^(?:node|__meta_process_cgroup|__meta_agent_revision|__meta_(?:system|systemd|kubernetes|docker|podman|containerd|crio)_\w+|__meta_(?:lxc|nspawn|nomad)_container_id)$/;

/**
 * Returns the rules that keep or drop a process by its control group alone, regardless of all other
 * rules. If one of these rules drops a process, all other processes of its group are dropped, too.
 */
export function cgroupRules(rules: readonly RelabelRule[]): readonly RelabelRule[] {
  const found: RelabelRule[] = [];
  const changed = new Set<string>();
  for (const rule of rules) {
    const { action, sourceLabels, targetLabel } = rule;
    if (action === 'keep' || action === 'drop') {
      const isShared = (name: string): boolean => sharedNames.test(name) && !changed.has(name);
      if (sourceLabels.length > 0 && sourceLabels.every(isShared)) found.push(rule);
      continue;
    }
    if (action === 'keepequal' || action === 'dropequal') continue;
    // These rules can change any label.
    if (action.startsWith('label') || targetLabel.includes('$')) break;
    changed.add(targetLabel);
  }
  return found;
}
