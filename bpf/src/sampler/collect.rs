//! Collects samples in batches: their processes, and the files and functions of their frames.
use super::Loop;
use crate::batch::{Frame, SampledProcess, name_text};
use crate::code_maps::MappedCode;
use crate::layout::{Sample, UserFrame};
use crate::records::{Change, Record};
use crate::system::clock_nanos;

impl Loop {
    /// Requests the names of interpreted functions before anything else is done, because the memory
    /// of some is freed within a millisecond. Records of a new program must be processed before.
    pub(super) fn request_names(&mut self, samples: &[Sample], records: &[Record]) {
        for Sample { head, user, .. } in samples {
            let pid = head.pid;
            let Some(known) = self.processes.get_mut(&pid) else { continue };
            let Some(interpreter) = &known.interpreter else { continue };
            let is_new = records.iter().any(|record| match record.change {
                Change::Exec { pid: own } | Change::Fork { pid: own, .. } => own == pid,
                _ => false,
            });
            if is_new || known.start != 0 && known.start != head.process_start {
                continue;
            }
            let mut requests = Vec::new();
            for frame in user {
                if let UserFrame::Interpreted(frame) = frame {
                    let slots = &mut known.functions;
                    self.names.find_code(slots, pid, interpreter, frame, &mut requests);
                }
            }
            self.names.send(requests);
        }
    }

    /// Adds a sample to the batch.
    pub(super) fn collect(&mut self, sample: &Sample) {
        let head = &sample.head;
        let known = self.processes.get_mut(&head.pid).expect("the caller has it");
        let mut waiting = self.shared.waiting.lock().expect("no panic holds it");
        let now = || clock_nanos(libc::CLOCK_REALTIME) as u64;
        let Some(batch) = waiting.batch_for_sample(self.waiting_bytes, now) else {
            self.totals.dropped_samples += 1;
            return;
        };
        let key = (head.pid, head.process_start, known.program);
        let row = match batch.process_row(&key) {
            Some(row) => row,
            None => {
                let details = known.details.clone().unwrap_or_default();
                let executable =
                    known.maps.list().iter().find(|mapped| {
                        !mapped.path.is_empty() && *mapped.path == *details.executable
                    });
                let binary = executable.and_then(|at| {
                    Some(batch.binary_row(at.binary.as_ref()?, &at.path, at.is_deleted))
                });
                let process = SampledProcess {
                    pid: head.pid,
                    start: head.process_start,
                    parent: known.parent,
                    name: name_text(&head.process_name),
                    details,
                    cgroup: known.cgroup.id,
                    is_kernel_thread: head.is_kernel_thread != 0,
                    binary: binary.unwrap_or(0),
                };
                batch.add_process(key, process)
            }
        };
        let mut requests = Vec::new();
        let mut frames: Vec<Frame> = Vec::with_capacity(sample.user.len());
        for frame in &sample.user {
            let mut function = 0;
            let address = match *frame {
                UserFrame::Native(address) => address,
                UserFrame::Script { address, shared } => {
                    if let Some(layout) = &known.v8 {
                        let slots = &mut known.functions;
                        let slot = self.names.find(slots, head.pid, layout, shared, self.now);
                        function =
                            slot.map_or(0, |slot| batch.script_row(known.program, shared, &slot));
                    }
                    address
                }
                UserFrame::Interpreted(frame) => {
                    // Changed mappings may contain another interpreter, or none.
                    let Some(interpreter) = &known.interpreter else { continue };
                    let slots = &mut known.functions;
                    let slot =
                        self.names.find_code(slots, head.pid, interpreter, &frame, &mut requests);
                    let layout = &interpreter.layout;
                    let row = batch.interpreted_row(known.program, &frame, layout, &slot);
                    let binary = batch.binary_row(&self.unknown, &self.no_path, false);
                    frames.push((0, binary, row));
                    continue;
                }
            };
            let mapped = known.maps.find(address);
            let (binary, path, is_deleted) = match mapped {
                Some(MappedCode { binary: Some(binary), path, is_deleted, .. }) => {
                    (binary, path, *is_deleted)
                }
                _ => (&self.unknown, &self.no_path, false),
            };
            let is_in_file = binary.is_elf();
            let at = match mapped {
                Some(mapped) if is_in_file => address - mapped.start + mapped.offset,
                _ => address,
            };
            frames.push((at, batch.binary_row(binary, path, is_deleted), function));
            if let Some(serving) = self.binaries.serving(binary.id).map(|entry| entry.binary.id)
                && let Some(entry) = self.binaries.get_mut(serving)
            {
                entry.used = head.time;
            }
        }
        self.names.send(requests);
        batch.add_sample(row, sample, &frames);
    }
}
