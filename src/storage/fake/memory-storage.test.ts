import { storageConformance } from './conformance.ts';
import { MemoryStorage } from './memory-storage.ts';

storageConformance('fake', async () => new MemoryStorage());
