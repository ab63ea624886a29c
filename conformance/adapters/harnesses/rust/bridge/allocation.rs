//! An allocator that counts, so that memory out of proportion to an input is told.
//!
//! Large blocks are mapped without being reserved: a library that asks for gigabytes and never touches them gets them,
//! and the program lives to say so. What is touched counts as resident memory, which the client watches.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The smallest block that is mapped by itself.
const LARGE: usize = 64 << 20;
/// The alignment of a hash table, which writes to the whole of what it gets: a large one is refused, as it would be by a
/// machine without that memory, and the program ends.
const HASH_TABLE: usize = 16;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

pub struct Counting;

/// Make the counting allocator that of the program.
#[macro_export]
macro_rules! counting_allocator {
    () => {
        #[global_allocator]
        static ALLOCATOR: $crate::bridge::allocation::Counting = $crate::bridge::allocation::Counting;
    };
}

fn add(size: usize) {
    let live = LIVE.fetch_add(size, Relaxed).saturating_add(size);
    PEAK.fetch_max(live, Relaxed);
}

/// Begin to measure; returns what is allocated now.
pub fn begin() -> usize {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// The most bytes that were allocated at a time since `begin`, beyond those that were then.
pub fn grown(since: usize) -> usize {
    PEAK.load(Relaxed).saturating_sub(since)
}

// As safe as `System`: small blocks are passed on to it, large ones are mapped and unmapped whole.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = match is_large(layout) {
            true if layout.align() == HASH_TABLE => std::ptr::null_mut(),
            true => large::map(layout.size()),
            false => System.alloc(layout),
        };
        counted(block, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = match is_large(layout) {
            true => large::map(layout.size()),
            false => System.alloc_zeroed(layout),
        };
        counted(block, layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        match is_large(layout) {
            true => large::unmap(block, layout.size()),
            false => System.dealloc(block, layout),
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let wanted = Layout::from_size_align_unchecked(size, layout.align());
        if is_large(layout) || is_large(wanted) {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            return moved;
        }
        let moved = System.realloc(block, layout, size);
        if !moved.is_null() {
            LIVE.fetch_sub(layout.size(), Relaxed);
            add(size);
        }
        moved
    }
}

fn is_large(layout: Layout) -> bool {
    cfg!(target_os = "linux") && layout.size() >= LARGE
}

fn counted(block: *mut u8, layout: Layout) -> *mut u8 {
    if !block.is_null() {
        add(layout.size());
    }
    block
}

#[cfg(target_os = "linux")]
mod large {
    use libc::{mmap, munmap, MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ, PROT_WRITE};

    pub unsafe fn map(size: usize) -> *mut u8 {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        let block = mmap(std::ptr::null_mut(), size, PROT_READ | PROT_WRITE, flags, -1, 0);
        match block == MAP_FAILED {
            true => std::ptr::null_mut(),
            false => block.cast(),
        }
    }

    pub unsafe fn unmap(block: *mut u8, size: usize) {
        munmap(block.cast(), size);
    }
}

#[cfg(not(target_os = "linux"))]
mod large {
    pub unsafe fn map(_size: usize) -> *mut u8 {
        unreachable!("blocks are large on Linux only")
    }

    pub unsafe fn unmap(_block: *mut u8, _size: usize) {
        unreachable!("blocks are large on Linux only")
    }
}
