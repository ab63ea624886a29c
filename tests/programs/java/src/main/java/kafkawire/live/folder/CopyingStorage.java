package kafkawire.live.folder;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/** A remote storage that copies segments into memory, so that their metadata are written. */
public final class CopyingStorage implements RemoteStorageManager {
    private final Map<Object, byte[]> segments = new ConcurrentHashMap<>();

    @Override
    public void configure(Map<String, ?> configuration) {
        // There is nothing to configure.
    }

    @Override
    public void close() {
        segments.clear();
    }

    @Override
    public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data)
            throws RemoteStorageException {
        try {
            segments.put(metadata.remoteLogSegmentId(), Files.readAllBytes((Path) data.logSegment()));
        } catch (IOException error) {
            throw new RemoteStorageException(error);
        }
        return Optional.of(new CustomMetadata(new byte[] {1, 2, 3}));
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start) throws RemoteStorageException {
        byte[] segment = segments.get(metadata.remoteLogSegmentId());
        if (segment == null) {
            throw new RemoteResourceNotFoundException("no such segment");
        }
        return new java.io.ByteArrayInputStream(segment, start, segment.length - start);
    }

    @Override
    public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start, int end)
            throws RemoteStorageException {
        try (InputStream all = fetchLogSegment(metadata, start)) {
            return new java.io.ByteArrayInputStream(all.readNBytes(end - start + 1));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    @Override
    public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type) throws RemoteStorageException {
        throw new RemoteResourceNotFoundException("indexes are not kept");
    }

    @Override
    public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) {
        segments.remove(metadata.remoteLogSegmentId());
    }
}
